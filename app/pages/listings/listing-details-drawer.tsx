import { RecordHistory } from '#features/audit/components/record-history.tsx';
import { listingDrawer } from '#features/listing-review/components/listing-record.tsx';
import { Drawer } from '#ui/drawer.tsx';
import type { ListingDetails } from './load-listing-details.ts';

interface Props {
  /** null while it is closed */
  details: ListingDetails;
  /** the page's URL with some of its parameters changed */
  hrefWith: (changes: Record<string, string | undefined>) => string;
}

/** Everything about one listing, for administrators; the URL opens and closes it. */
export function ListingDetailsDrawer({ details, hrefWith }: Props) {
  return (
    <Drawer
      closeHref={hrefWith({ details: undefined, before: undefined })}
      content={
        details &&
        listingDrawer(
          details.record,
          <RecordHistory
            history={details.history}
            href={(before) => hrefWith({ before: before === null ? undefined : String(before) })}
          />,
        )
      }
    />
  );
}
