import { REASON_MAX_LENGTH } from '#platform/reason-length.ts';
import type { ActionData } from '#ui/action-data.ts';
import { ActionDialog } from '#ui/action-dialog.tsx';
import { TextArea } from '#ui/text-area.tsx';
import { usePendingForm } from '#ui/use-pending.ts';
import type { PayoutRun, PlannedPayout } from '../model.ts';
import { payoutsText } from '../rules.ts';
import { PayoutLedger } from './payout-ledger.tsx';

/** The intents of the two decisions about a run. */
export const APPROVE_RUN = 'approve-run';
export const DECLINE_RUN = 'decline-run';

interface Props {
  subject: { run: PayoutRun; payouts: readonly PlannedPayout[] };
  decision: typeof APPROVE_RUN | typeof DECLINE_RUN;
  /** the page's URL, which handles the form */
  action: string;
  answer: ActionData | undefined;
  onClose: () => void;
}

/** What an administrator approves or declines, as a ledger. */
export function RunDialog({ subject: { run, payouts }, decision, action, answer, onClose }: Props) {
  const pending = usePendingForm(decision) !== null;
  const refused = answer?.intent === decision && !answer.ok ? answer : undefined;
  const approves = decision === APPROVE_RUN;
  return (
    <ActionDialog
      open
      wide
      onClose={onClose}
      title={approves ? 'Approve payouts' : 'Decline payouts'}
      text={
        approves
          ? `${run.requestedBy?.name ?? 'The payout schedule'} asked for ${payoutsText(payouts.length)}. They are sent as soon as you approve them.`
          : 'Nothing is sent, and whoever asked for the payouts is notified.'
      }
      confirmLabel={approves ? 'Approve payouts' : 'Decline payouts'}
      danger={!approves}
      intent={decision}
      action={action}
      fields={{ id: run.id }}
      pending={pending}
      noValidate
      error={refused?.errors?.reason}
    >
      {(problem) => (
        <>
          <PayoutLedger payouts={payouts} totalCents={run.totalCents} />
          {!approves && (
            <div className="mt-4">
              <TextArea
                label="Reason"
                name="reason"
                rows={3}
                required
                maxLength={REASON_MAX_LENGTH}
                defaultValue={refused?.input?.reason}
                error={problem}
              />
            </div>
          )}
        </>
      )}
    </ActionDialog>
  );
}
