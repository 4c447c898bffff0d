import { Fragment, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { Button, ButtonLink } from '#ui/button.tsx';
import { CircleAlert } from '#ui/glyphs.ts';
import { Icon } from '#ui/icon.tsx';
import { LocalTime, momentText } from '#ui/local-time.tsx';
import type { InboxPlace, ThreadMessage } from '../model.ts';
import { inboxHref } from './inbox-href.ts';
import { MessageText } from './message-text.tsx';
import type { Conversation, Pending } from './use-conversation.ts';

/** As far from the newest message as still counts as being there, in CSS pixels. */
const NEAR = 80;

interface Props {
  talk: Conversation;
  place: InboxPlace;
  /** puts the text of a message that did not arrive back into the box */
  onEdit: (one: Pending) => void;
}

/** The messages, newest at the bottom; the box keeps its place when older ones come above and new ones below. */
export function MessageList({ talk, place, onEdit }: Props) {
  const { thread, pending } = talk;
  const box = useRef<HTMLDivElement>(null);
  const [local, setLocal] = useState(false);
  useEffect(() => setLocal(true), []);
  useStayPut(box, thread.messages.at(-1)?.id, pending.length);

  const zone = local ? undefined : 'UTC';
  const dayOf = (at: string) => momentText(at, 'date', zone);
  const lastSeen = thread.messages.findLast(({ seen }) => seen)?.id;
  const nameOf = ({ mine, sender }: ThreadMessage) =>
    mine ? 'You' : sender === 'support' ? 'Support' : thread.other.name;
  return (
    <div
      className="msgs"
      ref={box}
      role="log"
      aria-label={`Messages with ${thread.other.name}`}
      aria-busy={talk.olderState === 'busy'}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keyboard
      tabIndex={0}
    >
      <div className="msgs-in">
        {thread.before && (
          <div className="msgs-older">
            <ButtonLink
              to={inboxHref(place, { older: thread.before })}
              variant="outline"
              size="sm"
              preventScrollReset
              aria-disabled={talk.olderState === 'busy' || undefined}
              onClick={(event) => {
                event.preventDefault();
                void talk.older();
              }}
            >
              Show older messages
            </ButtonLink>
            {talk.olderState === 'failed' && <p role="alert">Older messages could not be loaded.</p>}
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
                <p className="by">
                  {nameOf(message)} · <LocalTime of={message.at} as="time" />
                  {message.id === lastSeen && ' · Seen'}
                </p>
              </div>
            </Fragment>
          );
        })}
        {pending.map((one) => (
          <Unsent key={one.key} one={one} onRetry={() => talk.retry(one)} onEdit={() => onEdit(one)} />
        ))}
        {place.older && (
          <p className="day no-js">
            <Link className="link" to={inboxHref(place, { older: null })}>
              Newest messages
            </Link>
          </p>
        )}
      </div>
    </div>
  );
}

function Unsent({ one, onRetry, onEdit }: { one: Pending; onRetry: () => void; onEdit: () => void }) {
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
 * The box is laid out from the bottom, so that its place is counted from there and older messages above move nothing. A
 * new one below is followed by those who read at the end or wrote it; for everybody else nothing moves either.
 */
function useStayPut(
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
    if (sending > before.sending || -element.scrollTop <= NEAR) element.scrollTop = 0;
    else element.scrollTop -= height - before.height;
  });
}
