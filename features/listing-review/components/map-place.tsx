import '#features/listing-form/components/listing-form.css';
import { lazy, Suspense, useEffect, useState } from 'react';
import { formatPlace } from '#features/listing-form/place.ts';
import type { ListingRecord } from '../listing-record.ts';

const PinMap = lazy(() => import('#features/listing-form/components/pin-map.tsx'));

/** Where a listing is on the map, in degrees too. */
export function MapPlace({
  record: { latitude, longitude },
  tilesUrl,
}: {
  record: Pick<ListingRecord, 'latitude' | 'longitude'>;
  tilesUrl: string | null;
}) {
  const [mounted, setMounted] = useState(false);
  useEffect(() => setMounted(true), []);
  if (latitude === null || longitude === null)
    return <p className="record-words">The address was not found on the map, and no pin was placed.</p>;
  const blank = <div className="listing-map pin-map needs-js" />;
  return (
    <>
      {mounted ? (
        <Suspense fallback={blank}>
          <PinMap
            place={formatPlace({ latitude, longitude, precision: 'pin' })}
            tilesUrl={tilesUrl}
            onMove={null}
          />
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
