import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { mayHaveMissed, useLiveEvents } from '#app/live/live-events.ts';
import { useRevalidate } from '#app/live/revalidate.ts';
import type { ReviewSubject } from '#features/listing-review/model.ts';
import { useIsLeaving } from '#ui/use-destination.ts';
import { LAST_OF_PAGE } from './last-of-page.ts';

/**
 * Keeps the queue current. Where the URL does not say which listing is shown, it says so from then on, so that another one that comes
 * first does not take the place of the one that is being decided, with what was typed about it.
 * @param hrefOf the desk's own URL with a listing
 */
export function useLiveQueue(shown: string | undefined, hrefOf: (listing: string) => string): void {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const isLeaving = useIsLeaving();
  const named = params.get('listing');
  const open = named === null || named === LAST_OF_PAGE ? shown : undefined;
  const read = useRevalidate(
    open === undefined
      ? undefined
      : async () => {
          if (!isLeaving()) await navigate(hrefOf(open), { replace: true, preventScrollReset: true });
        },
  );
  useLiveEvents((message) => {
    if (message.type === 'listing.queue_changed' || mayHaveMissed(message)) void read();
  });
}

/**
 * The listing as it was when it was opened, while it waits: a decision is about what was read, and is refused when that is no longer
 * what the listing contains. What was refused is shown as it is now.
 * @param answer the page's last answer
 */
export function useOpened(subject: ReviewSubject | null, answer: unknown): ReviewSubject | null {
  const [opened, setOpened] = useState({ subject, answer });
  const isOpen =
    opened.answer === answer &&
    opened.subject?.waiting &&
    subject?.waiting &&
    opened.subject.record.id === subject.record.id;
  if (isOpen && opened.subject?.version !== subject.version) return opened.subject;
  if (opened.subject !== subject || opened.answer !== answer) setOpened({ subject, answer });
  return subject;
}
