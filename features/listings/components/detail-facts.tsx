import { plural } from '#platform/format-count.ts';
import { BadgeCheck, Bath, BedDouble, House, LandPlot, Ruler } from '#ui/detail-glyphs.ts';
import { Icon } from '#ui/icon.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { bathCount, formatSquareFeet, landSize } from '../display.ts';
import type { ListingDetail } from '../model.ts';

/** That an administrator has verified who owns the property, and when. */
function OwnershipVerified({ at }: { at: string }) {
  return (
    <p className="ownership-verified">
      <Icon of={BadgeCheck} size={18} />
      <span>
        Ownership verified <LocalTime of={at} as="date" />
      </span>
    </p>
  );
}

type Listing = Omit<ListingDetail, 'seller'>;

/** Land has no rooms: what is missing of a house would only puzzle. */
const isLand = (listing: Listing): boolean =>
  listing.lotSquareFeet !== null && !listing.squareFeet && !listing.bedrooms && !bathCount(listing);

/** Address, ownership and facts of the property page. */
export function DetailFacts({ listing }: { listing: Listing }) {
  const baths = bathCount(listing);
  const { squareFeet, lotSquareFeet } = listing;
  const land = isLand(listing);
  return (
    <div className="place">
      <h1>{listing.address}</h1>
      <p className="town">{listing.town}</p>
      {listing.ownershipVerifiedAt && <OwnershipVerified at={listing.ownershipVerifiedAt} />}
      {listing.title && <p className="prose mt-3">{listing.title}</p>}
      <ul className="factrow">
        {listing.bedrooms ? (
          <li>
            <Icon of={BedDouble} size={20} />
            {plural(listing.bedrooms, 'bedroom', 'bedrooms')}
          </li>
        ) : null}
        {baths ? (
          <li>
            <Icon of={Bath} size={20} />
            {`${baths} ${baths === 1 ? 'bathroom' : 'bathrooms'}`}
          </li>
        ) : null}
        {squareFeet ? (
          <li>
            <Icon of={Ruler} size={20} />
            {`${formatSquareFeet(squareFeet)} square feet`}
          </li>
        ) : null}
        {land && lotSquareFeet ? (
          <li>
            <Icon of={Ruler} size={20} />
            {`${landSize(lotSquareFeet)} of land`}
          </li>
        ) : null}
        <li>
          <Icon of={land ? LandPlot : House} size={20} />
          {listing.type}
        </li>
      </ul>
    </div>
  );
}

/** Description, amenities and the details grid of the property page. */
export function DetailDescription({ listing }: { listing: Listing }) {
  const details = detailsOf(listing);
  return (
    <div className="about">
      <p className="prose">{listing.description || 'No description provided.'}</p>
      {listing.amenities.length > 0 && (
        <ul className="amenities" aria-label="Amenities">
          {listing.amenities.map((name) => (
            <li key={name}>{name}</li>
          ))}
        </ul>
      )}
      <dl className="specs">
        {details.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value || 'N/A'}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function detailsOf(listing: Listing): [label: string, value: string | null][] {
  const { squareFeet, lotSquareFeet } = listing;
  const baths = bathCount(listing);
  const known: [label: string, value: string | null][] = [
    ['Year Built', listing.yearBuilt === null ? null : String(listing.yearBuilt)],
    ['Square Feet', squareFeet ? formatSquareFeet(squareFeet) : null],
    ['Bedrooms', listing.bedrooms ? String(listing.bedrooms) : null],
    ['Bathrooms', baths ? String(baths) : null],
  ];
  const details = isLand(listing)
    ? known.filter(([name, value]) => value !== null || name === 'Square Feet')
    : known;
  if (lotSquareFeet) details.push(['Lot Size', `${formatSquareFeet(lotSquareFeet)} sqft`]);
  if (listing.neighborhood) details.push(['Neighborhood', listing.neighborhood]);
  if (listing.mlsNumber)
    details.push([
      'MLS Number',
      [listing.mlsNumber, listing.mlsName && `(${listing.mlsName})`].filter(Boolean).join(' '),
    ]);
  return details;
}
