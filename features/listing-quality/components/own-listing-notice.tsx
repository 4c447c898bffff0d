import { Link, useFetcher } from 'react-router';
import { sellerPaths } from '#routing/seller-paths.ts';
import type { ActionData } from '#ui/action-data.ts';
import { Button, ButtonLink } from '#ui/button.tsx';
import { FlashToast } from '#ui/flash-toast.tsx';
import { IntentField } from '#ui/intent-field.tsx';
import { Notice } from '#ui/notice.tsx';
import type { QualityHint } from '../rules.ts';

interface Props {
  listingId: string;
  /** false: others do not see the page */
  isShown: boolean;
  /** its seller, and not suspended */
  mayAct: boolean;
  /** for its seller, who can change it; empty for administrators */
  hints: readonly QualityHint[];
}

/** What its seller and administrators alone read above a listing: that others do not see it yet, what would make it better, and what they can do. */
export function OwnListingNotice({ listingId, isShown, mayAct, hints }: Props) {
  if (isShown && !mayAct && hints.length === 0) return null;
  return (
    <div className="own-notice">
      {!isShown && (
        <Notice tone="info" title="Preview">
          <p>This is the page as buyers will see it. For now only its seller and the administrators do.</p>
        </Notice>
      )}
      {mayAct && (
        <div className="own-acts">
          <ButtonLink variant="outline" size="sm" to={sellerPaths.editProperty(listingId)}>
            Edit this listing
          </ButtonLink>
          <DuplicateListing listingId={listingId} />
        </div>
      )}
      <ListingHints listingId={listingId} hints={hints} />
    </div>
  );
}

interface PreviewedProps {
  listingId: string;
  /** its seller, who is not suspended, and it is shown as it is stored: that is what is duplicated */
  mayDuplicate: boolean;
  hints: readonly QualityHint[];
}

/** The same above its seller's preview, which leads to the form and says who sees it by itself. */
export function PreviewedListingNotice({ listingId, mayDuplicate, hints }: PreviewedProps) {
  if (!mayDuplicate && hints.length === 0) return null;
  return (
    <div className="own-notice">
      {mayDuplicate && (
        <div className="own-acts">
          <DuplicateListing listingId={listingId} />
        </div>
      )}
      <ListingHints listingId={listingId} hints={hints} />
    </div>
  );
}

function DuplicateListing({ listingId }: { listingId: string }) {
  // Not a form of the router: the page would be left for the list, which a lost connection cannot load.
  const fetcher = useFetcher<ActionData>();
  return (
    <fetcher.Form method="post" action={sellerPaths.properties()}>
      <IntentField is="duplicate" />
      <input type="hidden" name="id" value={listingId} />
      <Button type="submit" variant="outline" size="sm" busy={fetcher.state !== 'idle'}>
        Duplicate as a new draft
      </Button>
      <FlashToast toast={fetcher.data?.toast} />
    </fetcher.Form>
  );
}

function ListingHints({ listingId, hints }: Pick<PreviewedProps, 'listingId' | 'hints'>) {
  if (hints.length === 0) return null;
  return (
    <details className="quality">
      <summary>
        {hints.length === 1 ? '1 thing' : `${hints.length} things`} would make this listing better
      </summary>
      <ul>
        {hints.map(({ field, text }) => (
          <li key={field}>
            <Link className="link" to={`${sellerPaths.editProperty(listingId)}#${field}`}>
              {text}
            </Link>
          </li>
        ))}
      </ul>
    </details>
  );
}
