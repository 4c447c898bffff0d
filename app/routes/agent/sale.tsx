import { preserveInput, textFields } from '#app/actions/preserve-input.ts';
import { handleSaleForm, loadSale } from '#app/actions/sale.actions.ts';
import { pageMeta } from '#app/page-meta.ts';
import { LiveSalePage } from '#app/pages/sales/live-sale-page.tsx';
import { readOr } from '#app/read-or.ts';
import { getCtx } from '#app/request.ts';
import { PayoutPanel } from '#features/payouts/components/payout-panel.tsx';
import { payoutStandings } from '#features/payouts/reads.ts';
import type { PayoutStanding } from '#features/payouts/standing.ts';
import { ACTION_NOT_SENT } from '#features/sales/rules.ts';
import { sellerPaths } from '#routing/seller-paths.ts';
import type { Route } from './+types/sale';

const NONE: Record<string, PayoutStanding> = {};

export async function loader(args: Route.LoaderArgs) {
  const loaded = await loadSale(args);
  const ctx = getCtx(args.context);
  const { [loaded.sale.id]: payout = null } = await readOr(ctx, NONE, () =>
    payoutStandings(ctx, [loaded.sale.id]),
  );
  return { ...loaded, payout };
}

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
      page={sellerPaths.sale(id)}
      back={{ href: sellerPaths.transactions(), label: 'My Transactions' }}
      payout={loaderData.payout && <PayoutPanel standing={loaderData.payout} />}
    />
  );
}
