import { useNavigate } from 'react-router';
import { REASON_MAX_LENGTH } from '#platform/reason-length.ts';
import type { ActionData } from '#ui/action-data.ts';
import { ActionDialog } from '#ui/action-dialog.tsx';
import { TextArea } from '#ui/text-area.tsx';
import { usePendingForm } from '#ui/use-pending.ts';
import type { BuyerAction, BuyerDetails } from '../model.ts';

interface Props {
  buyer: Pick<BuyerDetails, 'id' | 'name' | 'email'>;
  /** which dialog is open */
  action: BuyerAction | null;
  /** the URL of the details without a dialog */
  closeHref: string;
  answer: ActionData | undefined;
}

/** The decisions about a buyer, each with a reason for the record. */
export function BuyerDialogs({ buyer, action, closeHref, answer }: Props) {
  const navigate = useNavigate();
  const pendingForm = usePendingForm(action ?? '');
  if (action === null) return null;
  const { title, text, confirmLabel, hint, danger } = dialogs[action](buyer);
  const error = answer?.intent === action && !answer.ok ? answer.errors?.reason : null;
  return (
    <ActionDialog
      open
      onClose={() => void navigate(closeHref, { replace: true, preventScrollReset: true })}
      title={title}
      text={text}
      confirmLabel={confirmLabel}
      danger={danger}
      intent={action}
      fields={{ id: buyer.id }}
      pending={pendingForm !== null}
      noValidate
      error={error}
    >
      {(problem) => (
        <TextArea
          label="Reason"
          name="reason"
          rows={4}
          required
          maxLength={REASON_MAX_LENGTH}
          counted
          hint={hint}
          defaultValue={answer?.input?.reason}
          error={problem}
        />
      )}
    </ActionDialog>
  );
}

interface DialogTexts {
  title: string;
  text: string;
  confirmLabel: string;
  hint: string;
  danger: boolean;
}

const FOR_THE_RECORD = 'For the record. The buyer does not see it.';

const dialogs: Record<BuyerAction, (buyer: Pick<BuyerDetails, 'name' | 'email'>) => DialogTexts> = {
  suspend: ({ name, email }) => ({
    title: `Suspend ${name}?`,
    text: `${email} can still sign in and read, and open purchases continue. New purchases, inquiries and messages are refused until you reinstate the account.`,
    confirmLabel: 'Suspend buyer',
    hint: 'The buyer reads this in the email about the suspension.',
    danger: true,
  }),
  reinstate: ({ name, email }) => ({
    title: `Reinstate ${name}?`,
    text: `${email} can buy, send inquiries and write messages again, and is notified by email.`,
    confirmLabel: 'Reinstate buyer',
    hint: FOR_THE_RECORD,
    danger: false,
  }),
};
