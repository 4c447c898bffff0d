import { useEffect, useRef } from 'react';
import { useLiveEvents } from '#app/live-events.ts';
import { useReadAgain } from '#app/read-again.ts';
import { actInThread } from '#features/inquiries/components/ask-thread.ts';
import { InboxView } from '#features/inquiries/components/inbox-view.tsx';
import { ThreadView } from '#features/inquiries/components/thread-view.tsx';
import { useConversation } from '#features/inquiries/components/use-conversation.ts';
import type { InboxAnswer, InboxPage, Thread } from '#features/inquiries/model.ts';

/** Events that come together are answered by one reading of the page. */
const TOGETHER_MS = 150;

interface Props {
  loaded: InboxPage;
  answer: InboxAnswer | undefined;
}

/** The conversations of a page, kept current: the list by reading the page again, the open one at once. */
export function InboxRoute({ loaded, answer }: Props) {
  const { thread, place, sendingKey } = loaded;
  const readAgain = useReadAgain();
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useLiveEvents(({ type }) => {
    if (!concernsInbox(type)) return;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void readAgain(), TOGETHER_MS);
  });
  return (
    <InboxView page={loaded}>
      {thread && (
        <OpenThread key={thread.id} loaded={thread} place={place} sendingKey={sendingKey} answer={answer} />
      )}
    </InboxView>
  );
}

const concernsInbox = (type: string) => type.startsWith('inquiry.') || type === 'ready' || type === 'resync';

function OpenThread({
  loaded,
  ...rest
}: Pick<InboxPage, 'place' | 'sendingKey'> & { loaded: Thread; answer: InboxAnswer | undefined }) {
  const talk = useConversation(loaded);
  const { id, messages } = talk.thread;
  useLiveEvents(({ type, payload }) => {
    if (concernsInbox(type) && (payload === null || payload.inquiry === id)) void talk.refresh();
  });
  useReadMark(id, messages.findLast(({ mine }) => !mine)?.id);
  return <ThreadView talk={talk} {...rest} />;
}

/** Says that the newest message of the other has been read, as soon as somebody can see it (S0 §4, B-058). */
function useReadMark(inquiryId: string, newest: string | undefined): void {
  useEffect(() => {
    if (!newest) return;
    // One that cannot be told now is told with the next message or the next look.
    const tell = () => document.hidden || void actInThread(inquiryId, 'read');
    tell();
    document.addEventListener('visibilitychange', tell);
    return () => document.removeEventListener('visibilitychange', tell);
  }, [inquiryId, newest]);
}
