import { useEffect, useRef, useState } from 'react';
import { useFetcher, useNavigate } from 'react-router';
import { Button, ButtonLink } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { MessageSquare } from '#ui/glyphs.ts';
import { TextArea } from '#ui/text-area.tsx';
import { toast } from '#ui/toast.ts';
import { INQUIRY_SENT, type InquiryAnswer, MESSAGE_LIMIT } from '../model.ts';
import { readDraft, writeDraft } from './inquiry-draft.ts';

interface Props {
  propertyId: string;
  /** the page itself, which takes the form */
  action: string;
  openHref: string;
  /** true when the address asks for the dialog: before the scripts, and after signing in */
  asked: boolean;
  /** why this person cannot ask, in words; null when they can */
  refused: string | null;
  /** true when the same words stand above already */
  told: boolean;
  /** what the server said to the bare form, which no script sent */
  answer: InquiryAnswer | undefined;
  /** the same for every repetition of one sending; another one with each rendered page */
  sendingKey: string;
}

/** 'Inquire About Property' with its dialog (S0 §2 'Purchase actions', B-050). What was typed outlives a failure. */
export function InquiryPanel({
  propertyId,
  action,
  openHref,
  asked,
  refused,
  told: toldAbove,
  answer,
  sendingKey,
}: Props) {
  const navigate = useNavigate();
  const fetcher = useFetcher<InquiryAnswer>();
  const [open, setOpen] = useState(asked);
  const [message, setMessage] = useState(answer && !answer.ok ? answer.message : '');
  const [sent, setSent] = useState(0);
  const [scripted, setScripted] = useState(false);
  const told = useRef<InquiryAnswer | undefined>(undefined);
  const latest = fetcher.data ?? answer;
  const error = latest && !latest.ok && latest.text !== undefined ? latest.text : null;

  useEffect(() => setScripted(true), []);
  useEffect(() => setOpen(asked), [asked]);
  useEffect(() => setMessage((typed) => typed || readDraft(propertyId)), [propertyId]);
  useEffect(() => {
    const data = fetcher.data;
    if (!data || told.current === data) return;
    told.current = data;
    if (data.ok) {
      toast(INQUIRY_SENT);
      setMessage('');
      writeDraft(propertyId, '');
      setSent((count) => count + 1);
      close();
    } else toast({ title: 'Error', text: data.text, tone: 'bad' });
  });

  function close() {
    setOpen(false);
    if (asked) void navigate(action, { replace: true, preventScrollReset: true });
  }

  if (refused) {
    return (
      <div>
        <Button variant="ghost" size="lg" wide icon={MessageSquare} aria-disabled="true" disabled>
          Inquire About Property
        </Button>
        {!toldAbove && <p className="hint mt-2 text-center">{refused}</p>}
      </div>
    );
  }
  const busy = fetcher.state !== 'idle';
  const blank = message.trim() === '';
  return (
    <>
      <ButtonLink
        to={openHref}
        variant="ghost"
        size="lg"
        wide
        icon={MessageSquare}
        preventScrollReset
        onClick={(event) => {
          event.preventDefault();
          setOpen(true);
        }}
      >
        Inquire About Property
      </ButtonLink>
      <Dialog open={open} onClose={close} title="Send Inquiry to Seller" locked={busy}>
        <fetcher.Form method="post" action={action} className="stack">
          <input type="hidden" name="key" value={`${sendingKey}-${sent}`} />
          {scripted && <input type="hidden" name="scripted" value="1" />}
          <TextArea
            label="Message"
            name="message"
            rows={6}
            required
            maxLength={MESSAGE_LIMIT}
            counted
            value={message}
            error={error}
            onChange={(event) => {
              setMessage(event.currentTarget.value);
              writeDraft(propertyId, event.currentTarget.value);
            }}
          />
          <div className="dialog-acts">
            <Button
              type="submit"
              busy={busy}
              className={blank ? 'needs-text' : undefined}
              aria-disabled={blank || undefined}
            >
              Send Inquiry
            </Button>
          </div>
        </fetcher.Form>
      </Dialog>
    </>
  );
}
