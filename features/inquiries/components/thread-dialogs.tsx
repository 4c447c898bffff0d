import { type FormEvent, useState } from 'react';
import { useNavigate, useRevalidator } from 'react-router';
import { Button } from '#ui/button.tsx';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { TextArea } from '#ui/text-area.tsx';
import { toast } from '#ui/toast.ts';
import { type InboxAnswer, type InboxPlace, REPORT_LIMIT, type Thread } from '../model.ts';
import { deedDone } from '../rules.ts';
import { actInThread } from './ask-thread.ts';
import { threadHref } from './inbox-href.ts';

interface Props {
  thread: Thread;
  place: InboxPlace;
  answer: InboxAnswer | undefined;
}

/** The dialogs of a conversation; which one is open stands in the address, so that they need no scripts. */
export function ThreadDialogs({ thread, place, answer }: Props) {
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState<InboxAnswer | undefined>(answer);
  const here = threadHref(place, thread.id);
  const close = () => void navigate(here, { replace: true, preventScrollReset: true });
  const { name } = thread.other;

  async function act(event: FormEvent<HTMLFormElement>, deed: 'report' | 'block'): Promise<void> {
    event.preventDefault();
    if (busy) return;
    const reason = String(new FormData(event.currentTarget).get('reason') ?? '');
    setBusy(true);
    const result = await actInThread(thread.id, deed, { reason });
    setBusy(false);
    if (!result.ok) return setFailed({ deed, text: result.text, typed: reason });
    toast(deedDone(deed, name));
    close();
    await revalidate();
  }

  const refused = failed?.deed === place.asked ? failed : undefined;
  const form = `block-${thread.id}`;
  return (
    <>
      <Dialog
        open={place.asked === 'report'}
        onClose={close}
        title="Report conversation"
        text="An administrator will read this conversation. The other person is not told."
        locked={busy}
      >
        <form method="post" action={here} className="stack" onSubmit={(event) => void act(event, 'report')}>
          <input type="hidden" name="do" value="report" />
          <TextArea
            label="What is wrong?"
            name="reason"
            rows={5}
            required
            maxLength={REPORT_LIMIT}
            counted
            defaultValue={refused?.typed}
            error={refused?.text}
          />
          <div className="dialog-acts">
            <Button type="submit" busy={busy}>
              Report conversation
            </Button>
          </div>
        </form>
      </Dialog>
      <ConfirmDialog
        open={place.asked === 'block' && !thread.blockedByMe}
        onClose={close}
        danger
        busy={busy}
        title={`Block ${name}?`}
        text="Neither of you can write to the other any more, in none of your conversations. You can take this back."
        confirmLabel={`Block ${name}`}
        form={form}
      >
        <form id={form} method="post" action={here} onSubmit={(event) => void act(event, 'block')}>
          <input type="hidden" name="do" value="block" />
          {refused && <p role="alert">{refused.text}</p>}
        </form>
      </ConfirmDialog>
    </>
  );
}
