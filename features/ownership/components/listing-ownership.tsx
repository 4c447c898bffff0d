import './ownership.css';
import { OwnershipBadge } from '#features/listings/components/ownership-badge.tsx';
import { adminPaths } from '#routing/admin-paths.ts';
import { ButtonLink } from '#ui/button.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import type { ListingOwnership as Ownership } from '../model.ts';

/** What the review of a listing says of its ownership; null when it could not be read. */
export function ListingOwnership({ ownership }: { ownership: Ownership | null }) {
  if (!ownership) return <p className="record-words">The proof of ownership could not be loaded.</p>;
  const { proof, required } = ownership;
  return (
    <div className="listing-ownership">
      <OwnershipBadge of={proof?.status ?? null} />
      <p className="record-words">
        {proof === null && 'The seller has not uploaded a proof.'}
        {proof?.ownerName && `${proof.ownerName}, parcel ${proof.parcelNumber}`}
        {proof && (
          <>
            {' '}
            <small>
              {proof.decidedAt ? 'Decided ' : 'Uploaded '}
              <LocalTime of={proof.decidedAt ?? proof.uploadedAt} as="date" />
            </small>
          </>
        )}
        {required && proof?.status !== 'verified' && ' The listing cannot go live before it is verified.'}
      </p>
      {proof && (
        <ButtonLink variant="outline" size="sm" to={adminPaths.ownership({ proof: proof.id })}>
          {proof.status === 'waiting' ? 'Compare and decide' : 'View proof'}
        </ButtonLink>
      )}
    </div>
  );
}
