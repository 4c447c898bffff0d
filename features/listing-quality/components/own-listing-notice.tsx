import { Link } from 'react-router';
import { sellerPaths } from '#routing/seller-paths.ts';
import { Notice } from '#ui/notice.tsx';
import type { QualityHint } from '../rules.ts';

interface Props {
  listingId: string;
  /** false: others do not see the page */
  isShown: boolean;
  /** for its seller, who can change it; empty for administrators */
  hints: readonly QualityHint[];
}

/** What its seller and administrators alone read above a listing: that others do not see it yet, and what would make it better. */
export function OwnListingNotice({ listingId, isShown, hints }: Props) {
  if (isShown && hints.length === 0) return null;
  return (
    <div className="own-notice">
      {!isShown && (
        <Notice tone="info" title="Preview">
          <p>This is the page as buyers will see it. For now only its seller and the administrators do.</p>
        </Notice>
      )}
      {hints.length > 0 && (
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
      )}
    </div>
  );
}
