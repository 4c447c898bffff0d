import { useNavigate } from 'react-router';
import { sellerPaths } from '#routing/seller-paths.ts';
import type { ActionData } from '#ui/action-data.ts';
import { ActionDialog } from '#ui/action-dialog.tsx';
import { TextArea } from '#ui/text-area.tsx';
import { TextInput } from '#ui/text-input.tsx';
import { usePendingForm } from '#ui/use-pending.ts';
import { MAX_REPLY_NAME, MAX_REPLY_TEXT, type QuickReply } from '../model.ts';

/** What the URL of the page asks for. */
export type QuickReplyDialog =
  | { kind: 'add' }
  | { kind: 'edit'; reply: QuickReply }
  | { kind: 'delete'; reply: QuickReply };

/** The refused form, with what was typed. */
interface Answer extends ActionData {
  /** the quick reply as it is now, when it was changed elsewhere since the form was shown */
  newer?: QuickReply;
}

interface Props {
  dialog: QuickReplyDialog | null;
  answer: Answer | undefined;
}

/** Adds, changes or deletes a quick reply. */
export function QuickReplyDialogs({ dialog, answer }: Props) {
  if (dialog === null) return null;
  return dialog.kind === 'delete' ? (
    <DeleteDialog reply={dialog.reply} answer={answer} />
  ) : (
    <SaveDialog reply={dialog.kind === 'edit' ? dialog.reply : null} answer={answer} />
  );
}

const refusedOf = (answer: Answer | undefined, intent: string) =>
  answer?.ok === false && answer.intent === intent ? answer : undefined;

const useClose = () => {
  const navigate = useNavigate();
  return () => void navigate(sellerPaths.quickReplies(), { preventScrollReset: true });
};

function SaveDialog({ reply, answer }: { reply: QuickReply | null; answer: Answer | undefined }) {
  const close = useClose();
  const pending = usePendingForm('save') !== null;
  const refused = refusedOf(answer, 'save');
  // Not the page's own copy, which is older for as long as the page is still read.
  const version = (refused?.newer ?? reply)?.version;
  return (
    <ActionDialog
      open
      onClose={close}
      title={reply ? 'Edit Quick Reply' : 'Add Quick Reply'}
      confirmLabel="Save Quick Reply"
      intent="save"
      fields={reply ? { id: reply.id, version: String(version) } : {}}
      pending={pending}
      noValidate
      error={refused?.toast?.text}
    >
      <div className="grid gap-5">
        <TextInput
          label="Name"
          name="name"
          autoComplete="off"
          required
          maxLength={MAX_REPLY_NAME}
          hint="Only you see it, when you choose the reply."
          defaultValue={refused?.input?.name ?? reply?.name ?? ''}
          error={refused?.errors?.name}
        />
        <TextArea
          label="Text"
          name="text"
          rows={6}
          required
          maxLength={MAX_REPLY_TEXT}
          counted
          hint="{buyer} becomes the buyer’s name and {property} the address of the property."
          defaultValue={refused?.input?.text ?? reply?.text ?? ''}
          error={refused?.errors?.text}
        />
      </div>
    </ActionDialog>
  );
}

function DeleteDialog({ reply, answer }: { reply: QuickReply; answer: Answer | undefined }) {
  const close = useClose();
  const pending = usePendingForm('delete') !== null;
  return (
    <ActionDialog
      open
      onClose={close}
      title={`Delete ${reply.name}?`}
      text="Messages that were sent with it stay as they are."
      confirmLabel="Delete Quick Reply"
      danger
      intent="delete"
      fields={{ id: reply.id }}
      pending={pending}
      error={refusedOf(answer, 'delete')?.toast?.text}
    />
  );
}
