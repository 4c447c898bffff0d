import { useEffect, useRef } from 'react';
import { type LiveMessage, mayHaveMissed, useLiveEvents } from '#app/live/live-events.ts';
import { useRevalidate } from '#app/live/revalidate.ts';
import { InboxView } from '#features/inquiries/components/inbox-view.tsx';
import { postThreadAction } from '#features/inquiries/components/thread-api.ts';
import { ThreadView } from '#features/inquiries/components/thread-view.tsx';
import { useConversation } from '#features/inquiries/components/use-conversation.ts';
import type { InboxPage, Thread } from '#features/inquiries/model.ts';
import type { ActionData } from '#ui/action-data.ts';

/** Events in quick succession cause one revalidation. */
const DEBOUNCE_MS = 150;

interface Props {
  loaded: InboxPage;
  answer: ActionData | undefined;
}

/** The inbox, kept up to date: the list by revalidating the page, the open conversation directly. */
export function LiveInbox({ loaded, answer }: Props) {
  const { thread, urlState, quickReplies, idempotencyKey } = loaded;
  const revalidate = useRevalidate();
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useLiveEvents((message) => {
    if (!concernsInbox(message)) return;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void revalidate(), DEBOUNCE_MS);
  });
  return (
    <InboxView page={loaded}>
      {thread && (
        <OpenThread
          key={thread.id}
          loaded={thread}
          urlState={urlState}
          quickReplies={quickReplies}
          idempotencyKey={idempotencyKey}
          answer={answer}
        />
      )}
    </InboxView>
  );
}

const concernsInbox = (message: LiveMessage) => message.type.startsWith('inquiry.') || mayHaveMissed(message);

function OpenThread({
  loaded,
  ...rest
}: Pick<InboxPage, 'urlState' | 'quickReplies' | 'idempotencyKey'> & {
  loaded: Thread;
  answer: ActionData | undefined;
}) {
  const conversation = useConversation(loaded);
  const { id, messages } = conversation.thread;
  useLiveEvents((message) => {
    const { payload } = message;
    if (concernsInbox(message) && (payload === null || payload.inquiry === id)) void conversation.refresh();
  });
  useMarkRead(id, messages.findLast(({ mine }) => !mine)?.id);
  return <ThreadView conversation={conversation} {...rest} />;
}

/** Marks the conversation as read as soon as the newest message of the other side is visible. */
function useMarkRead(inquiryId: string, newest: string | undefined): void {
  useEffect(() => {
    if (!newest) return;
    // A failure is made up for by the next message or the next time the page becomes visible.
    const markRead = () => document.hidden || void postThreadAction(inquiryId, 'read');
    markRead();
    document.addEventListener('visibilitychange', markRead);
    return () => document.removeEventListener('visibilitychange', markRead);
  }, [inquiryId, newest]);
}
