import { plural } from '#platform/format-count.ts';
import { dollarsAndCents } from '#platform/money.ts';
import type { ActionData } from '#ui/action-data.ts';
import { ActionDialog } from '#ui/action-dialog.tsx';
import { Notice } from '#ui/notice.tsx';
import { Select } from '#ui/select.tsx';
import { TextInput } from '#ui/text-input.tsx';
import { usePendingForm } from '#ui/use-pending.ts';
import type { RunPlan } from '../model.ts';
import { refusedBecause } from '../refused-because.ts';
import { PayoutLedger } from './payout-ledger.tsx';

/** The intents of the two forms: what a selection would pay, and paying it. */
export const REVIEW_PAYOUTS = 'review-payouts';
export const PROCESS_PAYOUTS = 'process-payouts';

/** A plan as the page was given it, with the key by which the request is made once. */
export interface ShownPlan {
  plan: RunPlan;
  key: string;
}

interface Props {
  shown: ShownPlan;
  /** the page's URL, which handles the form */
  action: string;
  answer: ActionData | undefined;
  onClose: () => void;
}

/** What is about to be sent, as a ledger by method, with what has to be known about it. */
export function ConfirmPayouts({ shown: { plan, key }, action, answer, onClose }: Props) {
  const pending = usePendingForm(PROCESS_PAYOUTS) !== null;
  const refused = answer?.intent === PROCESS_PAYOUTS && !answer.ok ? answer : undefined;
  const { payouts, totalCents, typed, approvalLimitCents, approvers } = plan;
  const n = payouts.length;
  return (
    <ActionDialog
      open
      wide
      onClose={onClose}
      title="Confirm Payouts"
      text={`${plural(n, 'commission payout', 'commission payouts')} will be sent by the method each seller chose.`}
      confirmLabel="Process Selected Payouts"
      intent={PROCESS_PAYOUTS}
      action={action}
      fields={{
        sales: [...payouts, ...plan.refused].map(({ saleId }) => saleId).join(','),
        total: String(totalCents),
        key,
      }}
      pending={pending}
      noValidate
      error={refused?.errors?.form}
    >
      <PayoutLedger payouts={payouts} totalCents={totalCents} />
      <div className="mt-4 grid gap-4">
        <Warnings plan={plan} />
        {approvalLimitCents !== null && (
          <Notice tone="warn" title="A second administrator must approve">
            <p>
              The total is above {dollarsAndCents(approvalLimitCents)}. Nothing is sent until another
              administrator approves it.
            </p>
          </Notice>
        )}
        <div className="payout-fields">
          {typed && (
            <TextInput
              label="Type the total to confirm"
              name="typedTotal"
              inputMode="decimal"
              autoComplete="off"
              required
              hint={`Exactly as shown above: ${dollarsAndCents(totalCents)}`}
              defaultValue={refused?.input?.typedTotal}
              error={refused?.errors?.typedTotal}
            />
          )}
          {approvalLimitCents !== null && (
            <Select
              label="Second administrator"
              name="approver"
              placeholder="Choose an administrator"
              options={approvers.map(({ id, name }) => ({ value: id, label: name }))}
              defaultValue={refused?.input?.approver}
              hint="Asked by email and in Tasks"
              error={refused?.errors?.approver}
            />
          )}
        </div>
      </div>
    </ActionDialog>
  );
}

function Warnings({ plan: { payouts, refused } }: { plan: RunPlan }) {
  const byHand = payouts.filter(({ method }) => method === 'manual').length;
  return (
    <>
      {byHand > 0 && (
        <Notice tone="warn" title="Record only">
          <p>
            {byHand === 1 ? '1 payout is' : `${byHand} payouts are`} made by hand: no payment provider is set
            up, or the seller is archived. You pay from your bank and enter its reference here. Another
            administrator confirms it.
          </p>
        </Notice>
      )}
      {refused.length > 0 && (
        <Notice
          tone="warn"
          title={`${refused.length} of the selected ${refused.length === 1 ? 'payouts is' : 'payouts are'} left out`}
        >
          <ul className="payout-refused">
            {refused.slice(0, 20).map((one) => (
              <li key={one.saleId}>{refusedBecause(one.reason, factsOf(one))}</li>
            ))}
            {refused.length > 20 && <li>And {refused.length - 20} more.</li>}
          </ul>
        </Notice>
      )}
    </>
  );
}

const factsOf = ({ seller, saleId, until }: RunPlan['refused'][number]) => ({
  sellerName: seller.name,
  saleId,
  until: until === null ? null : new Date(until),
});
