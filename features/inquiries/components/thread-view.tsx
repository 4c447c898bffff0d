import { useEffect, useRef, useState } from 'react';
import { Link, useNavigate, useRevalidator } from 'react-router';
import { paths } from '#app/paths.ts';
import { ListingPictureView } from '#features/listings/components/listing-picture.tsx';
import { wholeDollars } from '#features/listings/rules.ts';
import { Button } from '#ui/button.tsx';
import { EllipsisVertical, ImageOff } from '#ui/detail-glyphs.ts';
import { Icon } from '#ui/icon.tsx';
import { Menu } from '#ui/menu.tsx';
import { BackLink } from '#ui/page-head.tsx';
import { toast } from '#ui/toast.ts';
import { type InboxAnswer, type InboxPlace, PROPERTY_GONE, type Thread } from '../model.ts';
import { deedDone } from '../rules.ts';
import { actInThread } from './ask-thread.ts';
import { inboxHref, threadHref } from './inbox-href.ts';
import { MessageList } from './message-list.tsx';
import { ReplyBox } from './reply-box.tsx';
import { ThreadDialogs } from './thread-dialogs.tsx';
import { writeDraft } from './thread-store.ts';
import type { Conversation } from './use-conversation.ts';

interface Props {
  talk: Conversation;
  place: InboxPlace;
  sendingKey: string;
  answer: InboxAnswer | undefined;
}

/** One open conversation: about what and with whom, its messages, and the box to write in. */
export function ThreadView({ talk, place, sendingKey, answer }: Props) {
  const { thread } = talk;
  const [text, setText] = useState(answer?.deed === 'reply' ? answer.typed : '');
  const box = useRef<HTMLTextAreaElement>(null);
  const top = useRef<HTMLElement>(null);
  useEffect(() => {
    // On narrow screens the conversation takes the list's place: its beginning, not where the list was read.
    if (matchMedia('(width < 960px)').matches) top.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <section className="thread" ref={top} aria-labelledby="thread-title">
      <div className="thread-back">
        <BackLink
          href={inboxHref(place, { inquiry: null, older: null, asked: null })}
          label="All inquiries"
        />
      </div>
      <ThreadHead thread={thread} place={place} />
      <MessageList
        talk={talk}
        place={place}
        onEdit={(one) => {
          talk.withdraw(one);
          const joined = [text, one.text].filter(Boolean).join('\n');
          setText(joined);
          writeDraft(thread.id, joined);
          box.current?.focus();
        }}
      />
      {thread.reply.allowed ? (
        <ReplyBox
          inquiryId={thread.id}
          side={thread.side}
          action={threadHref(place, thread.id)}
          sendingKey={sendingKey}
          answer={answer}
          box={box}
          text={text}
          onText={setText}
          onSend={talk.send}
        />
      ) : (
        <div className="reply reply-off">
          <p>{thread.reply.text}</p>
          {thread.blockedByMe && <Unblock thread={thread} place={place} />}
        </div>
      )}
      <ThreadDialogs thread={thread} place={place} answer={answer} />
    </section>
  );
}

function ThreadHead({ thread, place }: { thread: Thread; place: InboxPlace }) {
  const { property, other } = thread;
  const entries = [
    {
      label: thread.reported ? 'Conversation reported' : 'Report conversation',
      disabled: thread.reported,
      href: inboxHref(place, { asked: 'report' }),
    },
    ...(thread.blockedByMe
      ? []
      : [{ label: `Block ${other.name}`, danger: true, href: inboxHref(place, { asked: 'block' }) }]),
  ];
  return (
    <header>
      {property ? (
        <ListingPictureView
          listingId={property.id}
          type={property.type}
          address={property.address}
          picture={property.picture}
          sizes="72px"
          eager
        />
      ) : (
        <span className="gone">
          <Icon of={ImageOff} />
        </span>
      )}
      <div className="thread-about">
        <h2 id="thread-title">
          {property?.canOpen ? (
            <Link to={paths.property(property.id)}>{property.address}</Link>
          ) : (
            (property?.address ?? PROPERTY_GONE)
          )}
        </h2>
        <p>
          {property && `${property.town} · `}
          {other.name}
        </p>
      </div>
      {property?.totalCents != null && <span className="money">{wholeDollars(property.totalCents)}</span>}
      <Menu label="More about this conversation" entries={entries} buttonClass="iconbtn" end>
        <Icon of={EllipsisVertical} />
      </Menu>
    </header>
  );
}

function Unblock({ thread, place }: { thread: Thread; place: InboxPlace }) {
  const { revalidate } = useRevalidator();
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const act = async () => {
    setBusy(true);
    const result = await actInThread(thread.id, 'unblock');
    setBusy(false);
    toast(
      result.ok ? deedDone('unblock', thread.other.name) : { title: 'Error', text: result.text, tone: 'bad' },
    );
    if (place.asked) await navigate(threadHref(place, thread.id), { replace: true });
    else await revalidate();
  };
  return (
    <form
      method="post"
      action={threadHref(place, thread.id)}
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) void act();
      }}
    >
      <input type="hidden" name="do" value="unblock" />
      <Button type="submit" variant="outline" busy={busy}>
        {`Unblock ${thread.other.name}`}
      </Button>
    </form>
  );
}
