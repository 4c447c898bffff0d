import { Link } from 'react-router';
import { PriceHistory } from '#features/listing-history/components/price-history.tsx';
import type { PublicHistory } from '#features/listing-history/model.ts';
import { PlaceSection } from '#features/listing-place/components/place-section.tsx';
import type { ListingPlace } from '#features/listing-place/rules.ts';
import { MonthlyPayment } from '#features/payment-estimate/components/monthly-payment.tsx';
import type { TypedAssumptions } from '#features/payment-estimate/model.ts';
import { paths } from '#routing/paths.ts';
import { ButtonLink } from '#ui/button.tsx';
import { FailedPanel } from '#ui/failed-panel.tsx';

interface Props {
  listingId: string;
  /** the address in one line */
  address: string;
  /** null when it could not be read */
  history: PublicHistory | null;
  /** null where the position is not known */
  place: ListingPlace | null;
  /** the search for what is around it; empty where the position is not known */
  nearbyHref: string;
  tilesUrl: string | null;
  /** the viewer sells it, and has nothing to report */
  own: boolean;
  /** where a tour is asked for; null where the seller offers none */
  tourHref: string | null;
  /** null where no one can buy it */
  payment: { priceCents: number; typed: TypedAssumptions } | null;
}

/** What the property page shows below the facts. */
export function PropertySections({
  listingId,
  address,
  history,
  place,
  nearbyHref,
  tilesUrl,
  own,
  tourHref,
  payment,
}: Props) {
  return (
    <div className="detail-more">
      {tourHref && (
        <section className="detail-part" aria-labelledby="tour-heading">
          <h2 id="tour-heading">See it in person</h2>
          <p className="part-lead mb-4">Choose one of the times when the seller shows this property.</p>
          <ButtonLink to={tourHref} variant="outline">
            Ask for a tour
          </ButtonLink>
        </section>
      )}
      {history ? (
        <PriceHistory {...history} />
      ) : (
        <FailedPanel title="The listing history could not be loaded." />
      )}
      {payment && <MonthlyPayment key={listingId} {...payment} />}
      {place && (
        <PlaceSection
          key={`place-${listingId}`}
          address={address}
          place={place}
          tilesUrl={tilesUrl}
          nearbyHref={nearbyHref}
        />
      )}
      {!own && (
        <p className="report-listing">
          <Link className="link" to={paths.reportListing(listingId)}>
            Report this listing
          </Link>
        </p>
      )}
    </div>
  );
}
