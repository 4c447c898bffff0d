import { pageMeta } from '#app/page-meta.ts';
import { paths } from '#app/paths.ts';
import { keepTyped } from '#app/sale/keep-typed.ts';
import { answerSale, loadSale } from '#app/sale/sale-door.ts';
import { SaleRoute } from '#app/sale/sale-route.tsx';
import type { Route } from './+types/sale';

export const loader = (args: Route.LoaderArgs) => loadSale(args);

export const action = (args: Route.ActionArgs) => answerSale(args);

export const clientAction = ({ request, serverAction }: Route.ClientActionArgs) =>
  keepTyped(request, serverAction);

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  pageMeta(matches, {
    title: loaderData ? `Sale of ${loaderData.sale.property.address}` : 'Sale',
    hidden: true,
  });

export default function Sale({ loaderData, actionData }: Route.ComponentProps) {
  const { id } = loaderData.sale;
  return (
    <SaleRoute
      loaded={loaderData}
      answer={actionData}
      page={paths.agentSale(id)}
      back={{ href: paths.agentTransactions(), label: 'My Transactions' }}
    />
  );
}
