import { dollarsAndCents } from '#platform/money.ts';
import type { ActionData } from '#ui/action-data.ts';
import { ActionDialog } from '#ui/action-dialog.tsx';
import { TextArea } from '#ui/text-area.tsx';
import { TextInput } from '#ui/text-input.tsx';
import { usePendingForm } from '#ui/use-pending.ts';
import type { FailedPayout, ManualPayout } from '../model.ts';

/** The intents about one payout. */
export const RETRY_PAYOUT = 'retry-payout';
export const RECORD_REFERENCE = 'bank-reference';
export const CONFIRM_PAYOUT = 'confirm-payout';
export const FAIL_PAYOUT = 'fail-payout';

interface Common {
  /** the page's URL, which handles the form */
  action: string;
  answer: ActionData | undefined;
  onClose: () => void;
}

/** Makes a payout that failed pending again. */
export function RetryDialog({ payout, action, onClose }: { payout: FailedPayout } & Omit<Common, 'answer'>) {
  const pending = usePendingForm(RETRY_PAYOUT) !== null;
  return (
    <ActionDialog
      open
      onClose={onClose}
      title={`Retry the payout to ${payout.seller.name}?`}
      text={`${dollarsAndCents(payout.amountCents)} for ${payout.address} will be pending again, to be processed with the other payouts.${payout.failure ? ` It failed: ${payout.failure}` : ''}`}
      confirmLabel="Retry payout"
      intent={RETRY_PAYOUT}
      action={action}
      fields={{ id: payout.saleId }}
      pending={pending}
      error={null}
    />
  );
}

/** The steps of a payout by hand: the bank's reference, the second look, or that it was not made or has come back. */
export function ManualDialog({
  payout,
  step,
  action,
  answer,
  onClose,
}: {
  payout: ManualPayout;
  step: typeof RECORD_REFERENCE | typeof CONFIRM_PAYOUT | typeof FAIL_PAYOUT;
} & Common) {
  const pending = usePendingForm(step) !== null;
  const refused = answer?.intent === step && !answer.ok ? answer : undefined;
  // Only what is still to be made can be recorded and confirmed.
  if (payout.confirmedAt && step !== FAIL_PAYOUT) return null;
  const { title, text, label } = words[step](payout);
  return (
    <ActionDialog
      key={step}
      open
      onClose={onClose}
      title={title}
      text={text}
      confirmLabel={label}
      danger={step === FAIL_PAYOUT}
      intent={step}
      action={action}
      fields={{
        id: payout.payoutId,
        ...(step === CONFIRM_PAYOUT && { reference: payout.reference ?? '' }),
        ...(step === FAIL_PAYOUT && { confirmed: payout.confirmedAt ? '1' : '' }),
      }}
      pending={pending}
      noValidate
      error={refused && Object.values(refused.errors ?? {})[0]}
    >
      {step === CONFIRM_PAYOUT
        ? undefined
        : (problem) =>
            step === RECORD_REFERENCE ? (
              <TextInput
                label="Bank reference"
                name="reference"
                required
                maxLength={200}
                autoComplete="off"
                hint="As your bank's statement shows it"
                defaultValue={refused?.input?.reference ?? payout.reference ?? ''}
                error={problem}
              />
            ) : (
              <TextArea
                label="Reason"
                name="reason"
                rows={3}
                required
                maxLength={500}
                hint="The seller reads it, too."
                defaultValue={refused?.input?.reason}
                error={problem}
              />
            )}
    </ActionDialog>
  );
}

const words = {
  [RECORD_REFERENCE]: ({ seller, amountCents }: ManualPayout) => ({
    title: 'Enter the bank reference',
    text: `Nothing is sent from here. Pay ${dollarsAndCents(amountCents)} to ${seller.name} from your bank, then enter its reference. Another administrator confirms it.`,
    label: 'Save reference',
  }),
  [CONFIRM_PAYOUT]: ({ seller, amountCents, reference, recordedBy }: ManualPayout) => ({
    title: `Confirm the payout to ${seller.name}?`,
    text: `${recordedBy?.name ?? 'A former administrator'} recorded ${dollarsAndCents(amountCents)} with the reference ${reference ?? ''}. Check it with the bank's statement: the payout is complete then, and the seller is notified.`,
    label: 'Confirm payout',
  }),
  [FAIL_PAYOUT]: ({ seller, amountCents, confirmedAt }: ManualPayout) =>
    confirmedAt
      ? {
          title: 'Payout came back',
          text: `The bank has returned the ${dollarsAndCents(amountCents)}: ${seller.name} is owed it again, and is notified of the reason. The payout can be tried again.`,
          label: 'Payout came back',
        }
      : {
          title: 'Payout not made',
          text: `${seller.name} is owed the ${dollarsAndCents(amountCents)} as before, and is notified of the reason. The payout can be tried again.`,
          label: 'Payout not made',
        },
};
