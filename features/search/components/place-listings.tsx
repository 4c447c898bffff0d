import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { wholeDollars } from '#platform/money.ts';
import { paths } from '#routing/paths.ts';
import { X } from '#ui/glyphs.ts';
import { Icon } from '#ui/icon.tsx';
import type { MapListing } from './map-pins.ts';

interface Props {
  listings: readonly MapListing[];
  onClose: () => void;
}

/** The listings of one point on the map, which no zoom level shows apart. Takes the focus; Escape closes it. */
export function PlaceListings({ listings, onClose }: Props) {
  const list = useRef<HTMLUListElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time another place is opened
  useEffect(() => list.current?.querySelector('a')?.focus({ preventScroll: true }), [listings]);
  return (
    <section
      className="map-place"
      aria-label="Properties at this place"
      onKeyDown={({ key }) => key === 'Escape' && onClose()}
    >
      <p>
        <b>{listings.length} properties at this place</b>
        <button type="button" className="iconbtn iconbtn-sm" aria-label="Close" onClick={onClose}>
          <Icon of={X} />
        </button>
      </p>
      <ul ref={list}>
        {listings.map(({ id, address, totalCents }) => (
          <li key={id}>
            <Link to={paths.property(id)}>
              <span>{address}</span>
              <span className="money">{wholeDollars(totalCents)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
