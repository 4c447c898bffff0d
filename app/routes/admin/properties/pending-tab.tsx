import { useEffect } from 'react';
import { PlaceMap } from '#features/listing-form/components/place-map.tsx';
import { type DeskAnswer, ReviewDesk } from '#features/listing-review/components/review-desk.tsx';
import type { ReviewQueue, ReviewSubject } from '#features/listing-review/model.ts';
import { ListingOwnership } from '#features/ownership/components/listing-ownership.tsx';
import type { ListingOwnership as ListingOwnershipFacts } from '#features/ownership/model.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { EmptyState } from '#ui/empty-state.tsx';
import { FailedPanel } from '#ui/failed-panel.tsx';
import type { PageSize } from '#ui/page-sizes.ts';
import { toast } from '#ui/toast.ts';
import { LAST_OF_PAGE } from './last-of-page.ts';
import { useLiveQueue, useOpened } from './live-desk.ts';

interface Props {
  /** null when it could not be read */
  queue: ReviewQueue | null;
  /** rows on a page, where it was chosen */
  size: PageSize | null;
  subject: ReviewSubject | null;
  /** null when it could not be read */
  ownership: ListingOwnershipFacts | null;
  tilesUrl: string | null;
  answer: DeskAnswer | undefined;
}

/** What waits for an administrator. */
export function PendingTab({ queue, size, subject: read, ownership, tilesUrl, answer }: Props) {
  const subject = useOpened(read, answer);
  const page = queue && queue.page > 1 ? queue.page : undefined;
  const here = {
    tab: 'pending',
    page,
    size: size ?? undefined,
    select: queue?.allSelected ? 'all' : undefined,
  };
  useLiveQueue(subject?.record.id, (listing) => adminPaths.properties({ ...here, listing }));
  useEffect(() => {
    if (answer?.toast) toast(answer.toast);
  }, [answer]);
  if (!queue) return <FailedPanel title="Failed to fetch properties" />;
  if (queue.rows.length === 0 && !subject)
    return <EmptyState title="No properties found" text="Nothing is waiting for approval." />;
  return (
    <ReviewDesk
      queue={queue}
      subject={subject}
      map={
        subject && (
          <PlaceMap
            latitude={subject.record.latitude}
            longitude={subject.record.longitude}
            tilesUrl={tilesUrl}
          />
        )
      }
      ownership={<ListingOwnership ownership={ownership} />}
      answer={answer}
      hrefOf={({ page: to = page, last, listing = last && LAST_OF_PAGE, all }) =>
        adminPaths.properties({
          ...here,
          page: to === 1 ? undefined : to,
          listing,
          select: all ? 'all' : undefined,
        })
      }
      detailsHref={(details) => adminPaths.properties({ ...here, listing: subject?.record.id, details })}
    />
  );
}
