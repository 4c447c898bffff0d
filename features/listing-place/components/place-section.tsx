import { type ComponentProps, type ComponentType, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { type ListingPlace, precisionText } from '../rules.ts';
import type { SpotMap } from './spot-map.tsx';

interface Props {
  /** the address in one line */
  address: string;
  place: ListingPlace;
  tilesUrl: string | null;
  /** the list with its map, of the surroundings */
  nearbyHref: string;
}

/** How close to the screen the map is when its code is loaded. */
const AHEAD = '300px';

/** Where a property is, on a map whose code is loaded when someone scrolls to it. */
export function PlaceSection({ address, place, tilesUrl, nearbyHref }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [Spot, setSpot] = useState<ComponentType<ComponentProps<typeof SpotMap>> | null>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    if (!box.current) return;
    const seen = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        seen.disconnect();
        import('./spot-map.tsx').then(
          (module) => setSpot(() => module.SpotMap),
          () => setFailed(true),
        );
      },
      { rootMargin: AHEAD },
    );
    seen.observe(box.current);
    return () => seen.disconnect();
  }, []);
  return (
    <section className="detail-part" aria-labelledby="place">
      <h2 id="place">Location</h2>
      <p className="part-lead">{address}</p>
      {/* biome-ignore lint/a11y/useSemanticElements: a map is a region of its own inside the section */}
      <div className="listing-map spot-map needs-js" role="region" aria-label="Map of the property" ref={box}>
        {Spot && <Spot place={place} tilesUrl={tilesUrl} />}
        {failed && (
          <p className="map-error" role="alert">
            The map could not be loaded. Please reload the page.
          </p>
        )}
      </div>
      <p className="hint mt-2">
        {precisionText(place.precision)}{' '}
        <Link className="link" to={nearbyHref}>
          See other properties nearby
        </Link>
      </p>
    </section>
  );
}
