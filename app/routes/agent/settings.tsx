import { Link } from 'react-router';
import { formOf } from '#app/form.ts';
import { pageMeta } from '#app/page-meta.ts';
import { paths } from '#app/paths.ts';
import { getCtx } from '#app/request.ts';
import { answerPayout, type PayoutAnswer } from '#app/sellers/payout-door.ts';
import { SellerSalesTable } from '#features/purchases/components/seller-sales-table.tsx';
import { sellerSales } from '#features/purchases/reads.ts';
import { ConfirmPaypal, DisconnectDialog, PayoutForm } from '#features/sellers/components/payout-form.tsx';
import { ownPayout, paypalLinkWorks } from '#features/sellers/reads.ts';
import { mayActAsSeller } from '#features/sellers/rules.ts';
import { FlashToast } from '#ui/flash-toast.tsx';
import { useFocusInvalid } from '#ui/focus-invalid.ts';
import { AreaHead } from '#ui/page-head.tsx';
import { Panel } from '#ui/panel.tsx';
import type { Route } from './+types/settings';

export async function loader({ url, context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  const token = url.searchParams.get('confirm');
  const [payout, sales, works] = await Promise.all([
    ownPayout(ctx),
    sellerSales(ctx),
    token === null ? false : paypalLinkWorks(ctx, token),
  ]);
  return {
    payout,
    sales: sales.rows,
    mayAct: mayActAsSeller(ctx.actor),
    asksDisconnect: url.searchParams.get('do') === 'disconnect',
    confirm: token === null ? null : { token, works },
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  return answerPayout(getCtx(context), await formOf(request));
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Payment Settings', hidden: true });

/** How the seller is paid, and what was earned (S0 §2 'Seller settings', B-114 to B-118). */
export default function PaymentSettings({ loaderData, actionData }: Route.ComponentProps) {
  const { payout, sales, mayAct, asksDisconnect, confirm } = loaderData;
  const answer: PayoutAnswer | undefined = actionData;
  useFocusInvalid(answer?.errors);
  return (
    <>
      <AreaHead title="Payment Settings" />
      {confirm && !payout.paypalConfirmed && <ConfirmPaypal {...confirm} email={payout.paypalEmail} />}
      <PayoutForm
        key={`${payout.method} ${payout.paypalEmail}`}
        payout={payout}
        errors={answer?.errors}
        typed={answer?.typed}
        locked={!mayAct}
      />
      <Panel
        title="Commission History"
        actions={
          <Link className="link text-sm" to={paths.agentTransactions()}>
            My Transactions
          </Link>
        }
      >
        <SellerSalesTable brief label="Commission History" rows={sales} />
      </Panel>
      <DisconnectDialog open={asksDisconnect && mayAct && payout.stripe !== null} />
      <FlashToast toast={answer?.toast} />
    </>
  );
}
