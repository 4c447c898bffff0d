import { useEffect, useRef, useState } from 'react';
import { useFetcher, useNavigate } from 'react-router';
import type { ActionData } from '#ui/action-data.ts';
import { ActionDialog } from '#ui/action-dialog.tsx';
import { Button, ButtonLink } from '#ui/button.tsx';
import { MessageSquare } from '#ui/detail-glyphs.ts';
import { TextArea } from '#ui/text-area.tsx';
import { toast } from '#ui/toast.ts';
import { useAnswer } from '#ui/use-answer.ts';
import { useStateFrom } from '#ui/use-state-from.ts';
import { MESSAGE_LIMIT } from '../model.ts';
import { readDraft, writeDraft } from './inquiry-draft.ts';

interface Props {
  propertyId: string;
  /** the URL of the page, to which the form is posted */
  action: string;
  openHref: string;
  /** true if the URL opens the dialog: without JavaScript, and after signing in */
  openDialog: boolean;
  /** why the user cannot inquire, as shown to them; null if they can */
  refused: string | null;
  /** true if that text is already shown above */
  shown: boolean;
  /** result of the form when it was posted without JavaScript */
  answer: ActionData | undefined;
  /** idempotency key of the form; a new one for each rendered page */
  idempotencyKey: string;
}

/** The 'Inquire About Property' button with its dialog. The entered text survives a failure. */
export function InquiryPanel({
  propertyId,
  action,
  openHref,
  openDialog,
  refused,
  shown: shownAbove,
  answer,
  idempotencyKey,
}: Props) {
  const navigate = useNavigate();
  const fetcher = useFetcher<ActionData>();
  const refusedForm = useAnswer(answer?.ok === false ? answer : undefined);
  const [open, setOpen] = useStateFrom(openDialog || refusedForm !== undefined);
  const [message, setMessage] = useState(refusedForm?.input?.message ?? '');
  const [sent, setSent] = useState(0);
  const shown = useRef<ActionData | undefined>(undefined);
  const [error, setError] = useState(refusedForm?.toast?.text);

  useEffect(() => setMessage((typed) => typed || readDraft(propertyId)), [propertyId]);
  useEffect(() => {
    const data = fetcher.data;
    if (!data || shown.current === data) return;
    shown.current = data;
    if (data.toast) toast(data.toast);
    setError(data.toast?.text);
    if (data.ok) {
      setMessage('');
      writeDraft(propertyId, '');
      setSent((count) => count + 1);
      close();
    }
  });

  function close() {
    setOpen(false);
    setError(undefined);
    if (openDialog) void navigate(action, { replace: true, preventScrollReset: true });
  }

  if (refused) {
    return (
      <div>
        <Button variant="ghost" size="lg" wide icon={MessageSquare} aria-disabled="true" disabled>
          Inquire About Property
        </Button>
        {!shownAbove && <p className="hint mt-2 text-center">{refused}</p>}
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
      <ActionDialog
        open={open}
        onClose={close}
        title="Send Inquiry to Seller"
        confirmLabel="Send Inquiry"
        cancelLabel={null}
        intent="inquire"
        action={action}
        fields={{ key: `${idempotencyKey}-${sent}` }}
        pending={busy}
        blank={blank}
        error={error}
        onConfirm={(form) => void fetcher.submit(form, { method: 'post', action })}
      >
        {(problem) => (
          <TextArea
            label="Message"
            name="message"
            rows={6}
            required
            maxLength={MESSAGE_LIMIT}
            counted
            value={message}
            error={problem}
            onChange={(event) => {
              setMessage(event.currentTarget.value);
              writeDraft(propertyId, event.currentTarget.value);
            }}
          />
        )}
      </ActionDialog>
    </>
  );
}
