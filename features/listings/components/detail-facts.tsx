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

/** Address, facts, description, amenities and the details grid of the property page. */
export function DetailFacts({ listing }: { listing: Omit<ListingDetail, 'seller'> }) {
  const baths = bathCount(listing);
  const squareFeet = listing.squareFeet;
  const { lotSquareFeet } = listing;
  // Land has no rooms: what is missing of a house would only puzzle.
  const isLand = lotSquareFeet !== null && !squareFeet && !listing.bedrooms && !baths;
  const known: [label: string, value: string | null][] = [
    ['Year Built', listing.yearBuilt === null ? null : String(listing.yearBuilt)],
    ['Square Feet', squareFeet ? formatSquareFeet(squareFeet) : null],
    ['Bedrooms', listing.bedrooms ? String(listing.bedrooms) : null],
    ['Bathrooms', baths ? String(baths) : null],
  ];
  const details = isLand ? known.filter(([name, value]) => value !== null || name === 'Square Feet') : known;
  if (lotSquareFeet) details.push(['Lot Size', `${formatSquareFeet(lotSquareFeet)} sqft`]);
  if (listing.neighborhood) details.push(['Neighborhood', listing.neighborhood]);
  if (listing.mlsNumber)
    details.push([
      'MLS Number',
      [listing.mlsNumber, listing.mlsName && `(${listing.mlsName})`].filter(Boolean).join(' '),
    ]);
  return (
    <>
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
          {isLand ? (
            <li>
              <Icon of={Ruler} size={20} />
              {`${landSize(lotSquareFeet)} of land`}
            </li>
          ) : null}
          <li>
            <Icon of={isLand ? LandPlot : House} size={20} />
            {listing.type}
          </li>
        </ul>
      </div>
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
    </>
  );
}
