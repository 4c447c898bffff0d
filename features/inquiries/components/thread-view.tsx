import { useEffect, useRef, useState } from 'react';
import { Link, useNavigate, useRevalidator } from 'react-router';
import { ListingPictureView } from '#features/listings/components/listing-picture.tsx';
import { wholeDollars } from '#platform/money.ts';
import { paths } from '#routing/paths.ts';
import type { ActionData } from '#ui/action-data.ts';
import { Button } from '#ui/button.tsx';
import { EllipsisVertical, ImageOff } from '#ui/detail-glyphs.ts';
import { Icon } from '#ui/icon.tsx';
import { IntentField } from '#ui/intent-field.tsx';
import { Menu } from '#ui/menu.tsx';
import { BackLink } from '#ui/page-head.tsx';
import { toast } from '#ui/toast.ts';
import { type InboxUrlState, PROPERTY_GONE, type QuickText, type Thread } from '../model.ts';
import { actionToast } from '../rules.ts';
import { inboxHref, threadHref } from './inbox-href.ts';
import { InquiryLabelBadge } from './inquiry-label-badge.tsx';
import { MessageList } from './message-list.tsx';
import { ReplyBox } from './reply-box.tsx';
import { postThreadAction } from './thread-api.ts';
import { ThreadDialogs } from './thread-dialogs.tsx';
import { writeDraft } from './thread-store.ts';
import type { ConversationState } from './use-conversation.ts';

interface Props {
  conversation: ConversationState;
  urlState: InboxUrlState;
  quickReplies: readonly QuickText[];
  idempotencyKey: string;
  answer: ActionData | undefined;
}

/** The open conversation: property and other party, messages, and the reply form. */
export function ThreadView({ conversation, urlState, quickReplies, idempotencyKey, answer }: Props) {
  const { thread } = conversation;
  const chosen = quickReplies.find(({ id }) => id === urlState.quickReply)?.text ?? '';
  const [text, setText] = useState(answer?.intent === 'reply' ? (answer.input?.message ?? '') : chosen);
  const box = useRef<HTMLTextAreaElement>(null);
  const top = useRef<HTMLElement>(null);
  useEffect(() => {
    // On narrow screens the conversation replaces the list: show its top, not the scroll position of the list.
    if (matchMedia('(width < 960px)').matches) top.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <section className="thread" ref={top} aria-labelledby="thread-title">
      <div className="thread-back">
        <BackLink
          href={inboxHref(urlState, { inquiry: null, older: null, openDialog: null })}
          label="All inquiries"
        />
      </div>
      <ThreadHead thread={thread} urlState={urlState} />
      <MessageList
        conversation={conversation}
        urlState={urlState}
        onEdit={(one) => {
          conversation.withdraw(one);
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
          quickReplies={quickReplies}
          quickReplyHref={(id) => inboxHref(urlState, { quickReply: id, openDialog: null })}
          action={threadHref(urlState, thread.id)}
          idempotencyKey={idempotencyKey}
          answer={answer}
          box={box}
          text={text}
          onText={setText}
          onSend={conversation.send}
        />
      ) : (
        <div className="reply reply-off">
          <p>{thread.reply.text}</p>
          {thread.blockedByMe && <Unblock thread={thread} urlState={urlState} />}
        </div>
      )}
      <ThreadDialogs thread={thread} urlState={urlState} answer={answer} />
    </section>
  );
}

function ThreadHead({ thread, urlState }: { thread: Thread; urlState: InboxUrlState }) {
  const { property, other } = thread;
  const entries = [
    {
      label: thread.reported ? 'Conversation reported' : 'Report conversation',
      disabled: thread.reported,
      href: inboxHref(urlState, { openDialog: 'report' }),
    },
    ...(thread.blockedByMe
      ? []
      : [{ label: `Block ${other.name}`, danger: true, href: inboxHref(urlState, { openDialog: 'block' }) }]),
  ];
  return (
    <header>
      {property ? (
        <ListingPictureView
          listingId={property.id}
          type={property.type}
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
          {other.name} <InquiryLabelBadge label={thread.label} reachable />
        </p>
      </div>
      {property?.totalCents != null && <span className="money">{wholeDollars(property.totalCents)}</span>}
      <Menu label="More about this conversation" entries={entries} buttonClass="iconbtn" end>
        <Icon of={EllipsisVertical} />
      </Menu>
    </header>
  );
}

function Unblock({ thread, urlState }: { thread: Thread; urlState: InboxUrlState }) {
  const { revalidate } = useRevalidator();
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const act = async () => {
    setBusy(true);
    const result = await postThreadAction(thread.id, 'unblock');
    setBusy(false);
    toast(
      result.ok
        ? actionToast('unblock', thread.other.name)
        : { title: 'Error', text: result.text, tone: 'bad' },
    );
    if (urlState.openDialog) await navigate(threadHref(urlState, thread.id), { replace: true });
    else await revalidate();
  };
  return (
    <form
      method="post"
      action={threadHref(urlState, thread.id)}
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) void act();
      }}
    >
      <IntentField is="unblock" />
      <Button type="submit" variant="outline" busy={busy}>
        {`Unblock ${thread.other.name}`}
      </Button>
    </form>
  );
}
