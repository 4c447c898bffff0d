import { preserveInput, textFields } from '#app/actions/preserve-input.ts';
import { handleSaleForm, loadSale } from '#app/actions/sale.actions.ts';
import { pageMeta } from '#app/page-meta.ts';
import { LiveSalePage } from '#app/pages/sales/live-sale-page.tsx';
import { ACTION_NOT_SENT } from '#features/sales/components/sale-actions.ts';
import { paths } from '#routing/paths.ts';
import { purchasePaths } from '#routing/purchase-paths.ts';
import type { Route } from './+types/sale';

export const loader = (args: Route.LoaderArgs) => loadSale(args);

export const action = (args: Route.ActionArgs) => handleSaleForm(args);

export const clientAction = (args: Route.ClientActionArgs) =>
  preserveInput(args, { inputOf: textFields('note'), toast: ACTION_NOT_SENT });

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  pageMeta(matches, {
    title: loaderData ? `Sale of ${loaderData.sale.property.address}` : 'Sale',
    hidden: true,
  });

export default function Sale({ loaderData, actionData }: Route.ComponentProps) {
  const { id } = loaderData.sale;
  return (
    <LiveSalePage
      loaded={loaderData}
      answer={actionData}
      page={purchasePaths.buyerSale(id)}
      back={{ href: paths.buyerActivity({ tab: 'transactions' }), label: 'My Activity' }}
    />
  );
}
