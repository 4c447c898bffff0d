import { useState } from 'react';
import { useLocation, useNavigate, useRevalidator } from 'react-router';
import type { ActionData } from '#ui/action-data.ts';
import { ActionDialog } from '#ui/action-dialog.tsx';
import { TextArea } from '#ui/text-area.tsx';
import { toast } from '#ui/toast.ts';
import { type InboxUrlState, REPORT_LIMIT, type Thread } from '../model.ts';
import { actionToast } from '../rules.ts';
import { threadHref } from './inbox-href.ts';
import { postThreadAction } from './thread-api.ts';

interface Props {
  thread: Thread;
  urlState: InboxUrlState;
  answer: ActionData | undefined;
}

/** The dialogs of a conversation. The URL says which one is open, so they work without JavaScript. */
export function ThreadDialogs({ thread, urlState, answer }: Props) {
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  const [busy, setBusy] = useState(false);
  const { key } = useLocation();
  // Of one opening of a dialog, which has an address of its own in the history.
  const [failed, setFailed] = useState({ answer, key });
  const here = threadHref(urlState, thread.id);
  const close = () => void navigate(here, { replace: true, preventScrollReset: true });
  const { name } = thread.other;

  const act = (intent: 'report' | 'block') => async (form: FormData) => {
    const reason = String(form.get('reason') ?? '');
    setBusy(true);
    const result = await postThreadAction(thread.id, intent, { reason });
    setBusy(false);
    if (!result.ok) {
      const { text } = result;
      const refusal = { intent, ok: false, toast: { title: 'Error', text }, input: { reason } };
      return setFailed({ answer: refusal, key });
    }
    toast(actionToast(intent, name));
    close();
    await revalidate();
  };

  const isShown = failed.key === key && failed.answer?.intent === urlState.openDialog;
  const refused = isShown ? failed.answer : undefined;
  const error = refused?.toast?.text;
  return (
    <>
      <ActionDialog
        open={urlState.openDialog === 'report'}
        onClose={close}
        title="Report conversation"
        text="An administrator will review this conversation. The other person is not notified."
        confirmLabel="Report conversation"
        cancelLabel={null}
        intent="report"
        action={here}
        pending={busy}
        noValidate
        error={error}
        onConfirm={(form) => void act('report')(form)}
      >
        {(problem) => (
          <TextArea
            label="What is wrong?"
            name="reason"
            rows={5}
            required
            maxLength={REPORT_LIMIT}
            counted
            defaultValue={refused?.input?.reason}
            error={problem}
          />
        )}
      </ActionDialog>
      <ActionDialog
        open={urlState.openDialog === 'block' && !thread.blockedByMe}
        onClose={close}
        danger
        title={`Block ${name}?`}
        text="Neither of you can message the other in any conversation. You can undo this later."
        confirmLabel={`Block ${name}`}
        intent="block"
        action={here}
        pending={busy}
        error={error}
        onConfirm={(form) => void act('block')(form)}
      />
    </>
  );
}
