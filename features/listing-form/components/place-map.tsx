import './listing-form.css';
import { lazy, Suspense, useEffect, useState } from 'react';
import { formatPlace } from '../place.ts';

const PinMap = lazy(() => import('./pin-map.tsx'));

interface Props {
  /** degrees; null when the address was not found on the map */
  latitude: number | null;
  longitude: number | null;
  tilesUrl: string | null;
}

/** Where a listing is on the map, for reading only, in degrees too. */
export function PlaceMap({ latitude, longitude, tilesUrl }: Props) {
  const [mounted, setMounted] = useState(false);
  useEffect(() => setMounted(true), []);
  if (latitude === null || longitude === null)
    return <p className="hint">The address was not found on the map, and no pin was placed.</p>;
  const place = formatPlace({ latitude, longitude, precision: 'pin' });
  const blank = <div className="listing-map pin-map needs-js" />;
  return (
    <>
      {mounted ? (
        <Suspense fallback={blank}>
          <PinMap key={place} place={place} tilesUrl={tilesUrl} onMove={null} />
        </Suspense>
      ) : (
        blank
      )}
      <p className="hint mt-2">
        {latitude.toFixed(4)}, {longitude.toFixed(4)}
      </p>
    </>
  );
}
