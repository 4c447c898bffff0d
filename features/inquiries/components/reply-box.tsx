import { type FormEvent, type KeyboardEvent, type RefObject, useEffect, useId, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { Send } from '#ui/detail-glyphs.ts';
import { FieldError } from '#ui/field.tsx';
import { type InboxAnswer, MESSAGE_LIMIT, type Side } from '../model.ts';
import { readDraft, writeDraft } from './thread-store.ts';

/** S0 §2, B-064 */
const PLACEHOLDER: Record<Side, string> = {
  buyer: 'Type your message to the agent...',
  seller: 'Type your reply...',
};

interface Props {
  inquiryId: string;
  side: Side;
  /** the page itself, for people without scripts */
  action: string;
  sendingKey: string;
  /** what the server said to the bare form */
  answer: InboxAnswer | undefined;
  box: RefObject<HTMLTextAreaElement | null>;
  text: string;
  onText: (text: string) => void;
  onSend: (text: string) => void;
}

/** The box under a conversation. Enter is a new line, Ctrl or Cmd with Enter sends; what is typed is kept (B-064). */
export function ReplyBox({ inquiryId, side, action, sendingKey, answer, box, text, onText, onSend }: Props) {
  const id = useId();
  const [scripted, setScripted] = useState(false);
  const blank = text.trim() === '';
  const left = MESSAGE_LIMIT - text.length;
  const error = answer?.deed === 'reply' ? answer.text : null;
  useEffect(() => setScripted(true), []);
  useEffect(() => {
    // What was typed before the scripts came is in the box already.
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
    write('');
    box.current?.focus();
  };
  return (
    <form className="reply" method="post" action={action} onSubmit={send}>
      <input type="hidden" name="do" value="reply" />
      <input type="hidden" name="key" value={sendingKey} />
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
          aria-describedby={`${id}-note`}
          onChange={(event) => write(event.currentTarget.value)}
          onKeyDown={(event) => {
            const wished = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
            if (wished && !event.nativeEvent.isComposing) send(event);
          }}
        />
        <p className="hint reply-note" id={`${id}-note`}>
          {error && <FieldError>{error}</FieldError>}
          {/* B-062 */}
          <span>Administrators can read conversations; each reading is recorded.</span>
          {left <= 200 && <span className="counter">{left} left</span>}
        </p>
      </div>
      <Button type="submit" size="lg" icon={Send} aria-disabled={(scripted && blank) || undefined}>
        Send
      </Button>
    </form>
  );
}
