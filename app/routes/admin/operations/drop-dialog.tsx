import { useNavigate } from 'react-router';
import { SHORT_REASON_MAX_LENGTH } from '#platform/reason-length.ts';
import type { ActionData } from '#ui/action-data.ts';
import { ActionDialog } from '#ui/action-dialog.tsx';
import { TextArea } from '#ui/text-area.tsx';
import { usePendingForm } from '#ui/use-pending.ts';
import type { DropDialog } from './query.ts';

const words: Record<DropDialog, { title: string; text: string; label: string }> = {
  'drop-job': {
    title: 'Drop job',
    text: 'What the job was to do is not done. This cannot be undone.',
    label: 'Drop job',
  },
  'drop-mail': {
    title: 'Drop email',
    text: 'The email is not sent. This cannot be undone.',
    label: 'Drop email',
  },
  'drop-message': {
    title: 'Drop message',
    text: 'The message is not processed. You can still process it later.',
    label: 'Drop message',
  },
};

interface Props {
  dialog: DropDialog | null;
  id: string;
  /** the page without the dialog */
  back: string;
  answer: ActionData | undefined;
}

/** Asks why something is dropped; opened by the URL. */
export function DropDialogs({ dialog, id, back, answer }: Props) {
  const navigate = useNavigate();
  const pending = usePendingForm(dialog ?? '') !== null;
  if (!dialog) return null;
  const refused = answer?.intent === dialog && !answer.ok ? answer : undefined;
  const { title, text, label } = words[dialog];
  return (
    <ActionDialog
      key={`${dialog} ${id}`}
      open
      onClose={() => void navigate(back, { replace: true, preventScrollReset: true })}
      title={title}
      text={text}
      confirmLabel={label}
      danger
      intent={dialog}
      fields={{ id }}
      pending={pending}
      error={refused?.errors?.reason}
    >
      {(error) => (
        <TextArea
          label="Reason"
          name="reason"
          rows={3}
          required
          maxLength={SHORT_REASON_MAX_LENGTH}
          defaultValue={refused?.input?.reason}
          error={error}
        />
      )}
    </ActionDialog>
  );
}
