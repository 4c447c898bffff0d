import { Fragment, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { Button, ButtonLink } from '#ui/button.tsx';
import { formatTime } from '#ui/format-time.ts';
import { CircleAlert } from '#ui/glyphs.ts';
import { Icon } from '#ui/icon.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import type { InboxUrlState, ThreadMessage } from '../model.ts';
import { FileLink } from './file-link.tsx';
import { inboxHref } from './inbox-href.ts';
import { MessageText } from './message-text.tsx';
import type { ConversationState, PendingMessage } from './use-conversation.ts';

/** How far from the newest message still counts as being at the end, in CSS pixels. */
const NEAR_END_PX = 80;

interface Props {
  conversation: ConversationState;
  urlState: InboxUrlState;
  /** puts the text of an undelivered message back into the input */
  onEdit: (one: PendingMessage) => void;
}

/** The messages, newest at the bottom; keeps the scroll position when messages are added at either end. */
export function MessageList({ conversation, urlState, onEdit }: Props) {
  const { thread, pending } = conversation;
  const box = useRef<HTMLDivElement>(null);
  const [local, setLocal] = useState(false);
  useEffect(() => setLocal(true), []);
  useStableScroll(box, thread.messages.at(-1)?.id, pending.length);

  const zone = local ? undefined : 'UTC';
  const dayOf = (at: string) => formatTime(at, 'date', zone);
  const lastSeen = thread.messages.findLast(({ seen }) => seen)?.id;
  const nameOf = ({ mine, sender }: ThreadMessage) =>
    mine ? 'You' : sender === 'support' ? 'Support' : thread.other.name;
  return (
    <div
      className="msgs"
      ref={box}
      role="log"
      aria-label={`Messages with ${thread.other.name}`}
      aria-busy={conversation.olderState === 'busy'}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
      tabIndex={0}
    >
      <div className="msgs-in">
        {thread.before && (
          <div className="msgs-older">
            <ButtonLink
              to={inboxHref(urlState, { older: thread.before })}
              variant="outline"
              size="sm"
              preventScrollReset
              aria-disabled={conversation.olderState === 'busy' || undefined}
              onClick={(event) => {
                event.preventDefault();
                void conversation.loadOlder();
              }}
            >
              Show older messages
            </ButtonLink>
            {conversation.olderState === 'failed' && <p role="alert">Older messages could not be loaded.</p>}
          </div>
        )}
        {thread.messages.map((message, at) => {
          const day = dayOf(message.at);
          const before = thread.messages[at - 1];
          return (
            <Fragment key={message.id}>
              {(!before || dayOf(before.at) !== day) && <p className="day">{day}</p>}
              <div className={message.mine ? 'msg msg-me' : 'msg'}>
                <MessageText text={message.text} links={message.links} />
                {message.file && <FileLink file={message.file} showsPhoto />}
                <p className="by">
                  {nameOf(message)} · <LocalTime of={message.at} as="time" />
                  {message.id === lastSeen && ' · Seen'}
                </p>
              </div>
            </Fragment>
          );
        })}
        {pending.map((one) => (
          <PendingBubble
            key={one.key}
            one={one}
            onRetry={() => conversation.retry(one)}
            onEdit={() => onEdit(one)}
          />
        ))}
        {urlState.older && (
          <p className="day no-js">
            <Link className="link" to={inboxHref(urlState, { older: null })}>
              Newest messages
            </Link>
          </p>
        )}
      </div>
    </div>
  );
}

function PendingBubble({
  one,
  onRetry,
  onEdit,
}: {
  one: PendingMessage;
  onRetry: () => void;
  onEdit: () => void;
}) {
  return (
    <div className={one.problem ? 'msg msg-me msg-failed' : 'msg msg-me msg-new'}>
      <MessageText text={one.text} links={false} />
      {one.problem === null ? (
        <p className="by">You · Sending…</p>
      ) : (
        <div className="msg-problem">
          <p className="err">
            <Icon of={CircleAlert} size={14} />
            {one.problem}
          </p>
          <Button size="sm" variant="outline" onClick={onRetry}>
            Retry
          </Button>
          <Button size="sm" variant="ghost" onClick={onEdit}>
            Edit
          </Button>
        </div>
      )}
    </div>
  );
}

/**
 * The list is laid out in reverse, so its scroll position is measured from the bottom and older messages added above
 * move nothing. A new message is scrolled into view for its sender and for readers at the end; for others the position
 * is kept.
 */
function useStableScroll(
  box: RefObject<HTMLDivElement | null>,
  newest: string | undefined,
  sending: number,
): void {
  const known = useRef({ newest, sending, height: 0 });
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const before = known.current;
    const height = element.scrollHeight;
    known.current = { newest, sending, height };
    if (before.height === 0 || (before.newest === newest && before.sending === sending)) return;
    if (sending > before.sending || -element.scrollTop <= NEAR_END_PX) element.scrollTop = 0;
    else element.scrollTop -= height - before.height;
  });
}
