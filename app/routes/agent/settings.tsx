import { Link } from 'react-router';
import { handlePayoutForm } from '#app/actions/payout-settings.actions.ts';
import { pageMeta } from '#app/page-meta.ts';
import { getCtx } from '#app/request.ts';
import { parseTableQuery } from '#app/table-query.ts';
import { ConfirmPaypal, DisconnectDialog, PayoutForm } from '#features/payouts/components/payout-form.tsx';
import { isPaypalLinkValid, ownPayoutSettings } from '#features/payouts/reads.ts';
import { SellerSalesTable } from '#features/sales/components/seller-sales-table.tsx';
import { sellerSales } from '#features/sales/reads.ts';
import { mayActAsSeller } from '#features/sellers/rules.ts';
import { paths } from '#routing/paths.ts';
import { FlashToast } from '#ui/flash-toast.tsx';
import { useFocusInvalid } from '#ui/focus-invalid.ts';
import { AreaHead } from '#ui/page-head.tsx';
import { Pagination } from '#ui/pagination.tsx';
import { Panel } from '#ui/panel.tsx';
import type { Route } from './+types/settings';

export async function loader({ url, context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  const token = url.searchParams.get('confirm');
  const [payout, sales, works] = await Promise.all([
    ownPayoutSettings(ctx),
    sellerSales(ctx, { page: parseTableQuery(url.searchParams, []).page }),
    token === null ? false : isPaypalLinkValid(ctx, token),
  ]);
  return {
    payout,
    sales,
    mayAct: mayActAsSeller(ctx.actor),
    asksDisconnect: url.searchParams.get('do') === 'disconnect',
    confirm: token === null ? null : { token, valid: works },
  };
}

export const action = (args: Route.ActionArgs) => handlePayoutForm(args);

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Payment Settings', hidden: true });

/** The seller's payout settings and commission history. */
export default function PaymentSettings({ loaderData, actionData }: Route.ComponentProps) {
  const { payout, sales, mayAct, asksDisconnect, confirm } = loaderData;
  useFocusInvalid(actionData?.errors);
  return (
    <>
      <AreaHead title="Payment Settings" />
      {confirm && !payout.paypalConfirmed && <ConfirmPaypal {...confirm} email={payout.paypalEmail} />}
      <PayoutForm
        // Another form, with what is saved, also when somebody gives up what they typed over newer settings.
        key={`${payout.method} ${payout.paypalEmail} ${actionData?.newer ? 'unsaved' : ''}`}
        payout={payout}
        errors={actionData?.errors}
        newer={actionData?.newer}
        typed={actionData?.input}
        locked={!mayAct}
      />
      <Panel
        title="Commission History"
        actions={
          <Link className="link text-sm" to={paths.sellerTransactions()}>
            My Transactions
          </Link>
        }
      >
        {/* The old rows stay until the new ones are there: a shorter page would jump away from its pagination. */}
        <SellerSalesTable brief label="Commission History" rows={sales.rows} />
      </Panel>
      <Pagination
        page={sales.page}
        pages={sales.pages}
        href={(page) => paths.sellerSettings({ page })}
        label="Pages of the commission history"
        keepsScroll
      />
      <DisconnectDialog
        open={asksDisconnect && mayAct && payout.stripe !== null}
        error={actionData?.intent === 'disconnect' ? actionData.toast?.text : undefined}
      />
      <FlashToast toast={actionData?.toast} />
    </>
  );
}
