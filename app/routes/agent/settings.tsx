import { useRef } from 'react';
import { data, Link } from 'react-router';
import { handlePayoutForm } from '#app/actions/payout-settings.actions.ts';
import { NOT_SAVED, preserveInput, textFields } from '#app/actions/preserve-input.ts';
import { pageMeta } from '#app/page-meta.ts';
import { readOr, readOrNull } from '#app/read-or.ts';
import { getCtx } from '#app/request.ts';
import { parseTableQuery } from '#app/table-query.ts';
import { ConfirmPaypal, DisconnectDialog, PayoutForm } from '#features/payouts/components/payout-form.tsx';
import { isPaypalLinkValid, ownPayoutSettings } from '#features/payouts/reads.ts';
import { payoutMessages } from '#features/payouts/rules.ts';
import { SellerSalesTable } from '#features/sales/components/seller-sales-table.tsx';
import { sellerSales } from '#features/sales/reads.ts';
import { mayActAsSeller } from '#features/sellers/rules.ts';
import { sellerPaths } from '#routing/seller-paths.ts';
import { ButtonLink } from '#ui/button.tsx';
import { FailedPanel } from '#ui/failed-panel.tsx';
import { FlashToast } from '#ui/flash-toast.tsx';
import { useFocusInvalid } from '#ui/focus-invalid.ts';
import { AreaHead } from '#ui/page-head.tsx';
import { Pagination } from '#ui/pagination.tsx';
import { Panel } from '#ui/panel.tsx';
import { useAnswer } from '#ui/use-answer.ts';
import type { Route } from './+types/settings';

export async function loader({ url, context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  const token = url.searchParams.get('confirm');
  const [payout, sales, works] = await Promise.all([
    readOrNull(ctx, () => ownPayoutSettings(ctx)),
    readOrNull(ctx, () => sellerSales(ctx, { page: parseTableQuery(url.searchParams, []).page })),
    token === null ? false : readOr(ctx, false, () => isPaypalLinkValid(ctx, token)),
  ]);
  return data(
    {
      payout,
      sales,
      mayAct: mayActAsSeller(ctx.actor),
      asksDisconnect: url.searchParams.get('do') === 'disconnect',
      confirm: token === null ? null : { token, valid: works },
    },
    payout && sales ? undefined : { status: 503 },
  );
}

export const action = (args: Route.ActionArgs) => handlePayoutForm(args);

export const clientAction = (args: Route.ClientActionArgs) =>
  preserveInput(args, {
    inputOf: textFields('method', 'paypalEmail'),
    toast: (intent) => (intent === 'save' ? { title: payoutMessages.failed } : NOT_SAVED),
    refusalsLeave: true,
  });

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Payment Settings', hidden: true });

/** The seller's payout settings and commission history. */
export default function PaymentSettings({ loaderData, actionData }: Route.ComponentProps) {
  const { payout, sales, mayAct, asksDisconnect, confirm } = loaderData;
  const answer = useAnswer(actionData);
  // A refused form stays, with what was typed, when others save something else meanwhile.
  const shown = useRef('');
  if (payout && answer?.ok !== false) shown.current = `${payout.method} ${payout.paypalEmail}`;
  useFocusInvalid(answer?.errors);
  return (
    <>
      <AreaHead
        title="Payment Settings"
        actions={
          <ButtonLink to={sellerPaths.apiKeys()} variant="outline">
            API Keys
          </ButtonLink>
        }
      />
      {payout && confirm && !payout.paypalConfirmed && (
        <ConfirmPaypal {...confirm} email={payout.paypalEmail} />
      )}
      {payout ? (
        <PayoutForm
          // Another form, with what is saved, also when somebody gives up what they typed over newer settings. Until
          // then it stays the same one when those are shown.
          key={answer?.newer ? 'unsaved' : shown.current}
          payout={payout}
          errors={answer?.errors}
          newer={answer?.newer}
          typed={answer?.input}
          locked={!mayAct}
        />
      ) : (
        <FailedPanel title="Your payment settings could not be loaded." />
      )}
      <Panel
        title="Commission History"
        actions={
          <Link className="link text-sm" to={sellerPaths.transactions()}>
            My Transactions
          </Link>
        }
      >
        {/* The old rows stay until the new ones are there: a shorter page would jump away from its pagination. */}
        <SellerSalesTable brief label="Commission History" rows={sales?.rows ?? null} />
      </Panel>
      <Pagination
        page={sales?.page ?? 1}
        pages={sales?.pages ?? 1}
        href={(page) => sellerPaths.settings({ page })}
        label="Pages of the commission history"
        keepsScroll
      />
      <DisconnectDialog
        open={asksDisconnect && mayAct && payout !== null && payout.stripe !== null}
        error={answer?.intent === 'disconnect' ? answer.toast?.text : undefined}
      />
      <FlashToast toast={actionData?.toast} />
    </>
  );
}
