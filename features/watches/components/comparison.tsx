import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { ListingPictureView } from '#features/listings/components/listing-picture.tsx';
import { bathCount, formatSquareFeet, landSize, statusLabel } from '#features/listings/display.ts';
import type { Role } from '#platform/context.ts';
import { wholeDollars } from '#platform/money.ts';
import { paths } from '#routing/paths.ts';
import { searchPaths } from '#routing/search-paths.ts';
import { X } from '#ui/glyphs.ts';
import { Icon } from '#ui/icon.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import type { ComparedListing } from '../reads.ts';

/** What is unknown or does not apply. */
const NONE = '–';

const facts: readonly (readonly [label: string, of: (one: ComparedListing) => ReactNode])[] = [
  ['Price', ({ totalCents }) => <b>{wholeDollars(totalCents)}</b>],
  [
    'Price per square foot',
    ({ totalCents, squareFeet }) => squareFeet && wholeDollars(Math.round(totalCents / squareFeet)),
  ],
  ['Status', ({ status }) => statusLabel[status]],
  ['Type', ({ type }) => type],
  ['Bedrooms', ({ bedrooms }) => bedrooms],
  ['Bathrooms', (one) => bathCount(one)],
  ['Square feet', ({ squareFeet }) => squareFeet && formatSquareFeet(squareFeet)],
  ['Lot', ({ lotSquareFeet }) => lotSquareFeet && landSize(lotSquareFeet)],
  ['Year built', ({ yearBuilt }) => yearBuilt],
  ['Listed', ({ listedAt }) => listedAt && <LocalTime of={listedAt} as="date" />],
  ['Amenities', ({ amenities }) => amenities.join(', ')],
];

/** Two to four watched properties, a column each; on a phone the columns are swiped beside their labels. */
export function Comparison({ listings, role }: { listings: readonly ComparedListing[]; role: Role }) {
  const without = (id: string) =>
    searchPaths.compare(
      role,
      listings.flatMap((one) => (one.id === id ? [] : [one.id])),
    );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it
    <section className="comparison" aria-label="Comparison" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">
              <span className="vh">Fact</span>
            </th>
            {listings.map(({ id, address, town, type, picture }) => (
              <th key={id} scope="col">
                <div className="pic">
                  <ListingPictureView listingId={id} type={type} picture={picture} sizes="320px" eager />
                </div>
                <Link className="link" to={paths.property(id)}>
                  {address}
                </Link>
                <p>{town}</p>
                <Link
                  className="btn btn-outline btn-sm"
                  to={without(id)}
                  preventScrollReset
                  aria-label={`Remove ${address}`}
                >
                  <Icon of={X} size={14} />
                  Remove
                </Link>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {facts.map(([label, of]) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {listings.map((one) => (
                <td key={one.id}>{of(one) || NONE}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
