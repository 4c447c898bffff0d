import { type FormEvent, type KeyboardEvent, type RefObject, useEffect, useId, useState } from 'react';
import { Link } from 'react-router';
import { messageFilePaths } from '#routing/message-file-paths.ts';
import type { ActionData } from '#ui/action-data.ts';
import { Button } from '#ui/button.tsx';
import { Send } from '#ui/detail-glyphs.ts';
import { FieldError } from '#ui/field.tsx';
import { IntentField } from '#ui/intent-field.tsx';
import { toast } from '#ui/toast.ts';
import { MESSAGE_LIMIT, type QuickText, type Side } from '../model.ts';
import { QuickReplyMenu } from './quick-reply-menu.tsx';
import { readDraft, writeDraft } from './thread-store.ts';

const PLACEHOLDER: Record<Side, string> = {
  buyer: 'Type your message to the agent...',
  seller: 'Type your reply...',
};

interface Props {
  inquiryId: string;
  side: Side;
  quickReplies: readonly QuickText[];
  /** the URL that puts a quick reply into the message, without JavaScript */
  quickReplyHref: (id: string) => string;
  /** the URL of the page, to which the form is posted without JavaScript */
  action: string;
  idempotencyKey: string;
  /** result of the form when it was posted without JavaScript */
  answer: ActionData | undefined;
  box: RefObject<HTMLTextAreaElement | null>;
  text: string;
  onText: (text: string) => void;
  onSend: (text: string) => void;
}

/** The message input of a conversation. Enter adds a line, Ctrl or Cmd with Enter sends; drafts are saved. */
export function ReplyBox({
  inquiryId,
  side,
  quickReplies,
  quickReplyHref,
  action,
  idempotencyKey,
  answer,
  box,
  text,
  onText,
  onSend,
}: Props) {
  const id = useId();
  const [hydrated, setHydrated] = useState(false);
  const blank = text.trim() === '';
  const remaining = MESSAGE_LIMIT - text.length;
  // The page is brought up to date as soon as it is live, and the router forgets the answer then.
  const [refused, setRefused] = useState(answer?.intent === 'reply' ? answer : undefined);
  const error = refused?.toast?.text;
  useEffect(() => setHydrated(true), []);
  useEffect(() => {
    // Text entered before hydration is already in the textarea.
    const typed = box.current?.value || readDraft(inquiryId);
    if (typed) onText(typed);
  }, [inquiryId, box, onText]);

  const write = (value: string) => {
    onText(value);
    writeDraft(inquiryId, value);
  };
  const send = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault();
    if (blank) return;
    onSend(text.trim());
    setRefused(undefined);
    write('');
    box.current?.focus();
  };
  const insert = (quick: string) => {
    const joined = blank ? quick : `${text.trimEnd()}\n${quick}`;
    if (joined.length > MESSAGE_LIMIT) {
      toast({ title: 'Error', text: 'The message would be too long with this quick reply.', tone: 'bad' });
      return;
    }
    write(joined);
    box.current?.focus();
  };
  return (
    <form className="reply" method="post" action={action} onSubmit={send}>
      <IntentField is="reply" />
      <input type="hidden" name="key" value={idempotencyKey} />
      <p className="hint reply-readers" id={`${id}-readers`}>
        Administrators can read conversations. Every access is recorded.
      </p>
      <div className="reply-field">
        <label className="vh" htmlFor={id}>
          Your message
        </label>
        <textarea
          ref={box}
          id={id}
          name="message"
          className="area"
          rows={2}
          required
          maxLength={MESSAGE_LIMIT}
          placeholder={PLACEHOLDER[side]}
          value={text}
          aria-invalid={error ? true : undefined}
          aria-describedby={`${id}-readers ${id}-note`}
          onChange={(event) => write(event.currentTarget.value)}
          onKeyDown={(event) => {
            const isSendShortcut = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
            if (isSendShortcut && !event.nativeEvent.isComposing) send(event);
          }}
        />
        <div className="hint reply-note" id={`${id}-note`}>
          {error && <FieldError>{error}</FieldError>}
          <Link className="link" to={messageFilePaths.send(inquiryId)}>
            Send a photo or PDF
          </Link>
          {side === 'seller' && (
            <QuickReplyMenu
              replies={quickReplies}
              hrefOf={hydrated ? null : quickReplyHref}
              onChoose={insert}
            />
          )}
          {remaining <= 200 && <span className="counter">{remaining} left</span>}
        </div>
      </div>
      <Button type="submit" size="lg" icon={Send} aria-disabled={(hydrated && blank) || undefined}>
        Send
      </Button>
    </form>
  );
}
