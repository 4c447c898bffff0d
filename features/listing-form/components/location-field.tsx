import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { sellerPaths } from '#routing/seller-paths.ts';
import { Button } from '#ui/button.tsx';
import { parsePlace, precisionMessages } from '../place.ts';
import { CenterPinButton } from './center-pin-button.tsx';

const PinMap = lazy(() => import('./pin-map.tsx'));

interface Props {
  place: string;
  address: string;
  /** incremented on every blur of the address field; the map then follows a changed address */
  addressBlurs: number;
  tilesUrl: string | null;
  readOnly: boolean;
  onPlace: (place: string) => void;
}

type LookupStatus = 'asking' | 'unknown' | 'failed' | null;

/** The property's location: geocoded from its address, adjustable by the seller. */
export function LocationField({ place, address, addressBlurs, tilesUrl, readOnly, onPlace }: Props) {
  const [mounted, setMounted] = useState(false);
  const [lookupStatus, setLookupStatus] = useState<LookupStatus>(null);
  const lastLookedUp = useRef(address);
  const at = parsePlace(place);
  useEffect(() => setMounted(true), []);

  async function lookUp() {
    lastLookedUp.current = address;
    setLookupStatus('asking');
    try {
      const response = await fetch(sellerPaths.geocode(address), { headers: { accept: 'application/json' } });
      if (!response.ok) throw response;
      const { place: found } = (await response.json()) as { place: string | null };
      setLookupStatus(found ? null : 'unknown');
      if (found) onPlace(found);
    } catch {
      setLookupStatus('failed');
    }
  }
  // A pin placed by the seller stays until a new lookup is requested.
  const autoLookup = !readOnly && at?.precision !== 'pin' && address.trim().length >= 5;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only leaving the field asks
  useEffect(() => {
    if (addressBlurs > 0 && autoLookup && lastLookedUp.current !== address) void lookUp();
  }, [addressBlurs]);

  // Of the same height as the map, so that nothing below moves once it is there.
  const placeholder = (
    <>
      <div className="listing-map pin-map needs-js" />
      {!readOnly && <CenterPinButton />}
    </>
  );
  return (
    <fieldset className="fs">
      <legend className="fs-title">Location</legend>
      {mounted ? (
        <Suspense fallback={placeholder}>
          <PinMap place={place} tilesUrl={tilesUrl} onMove={readOnly ? null : onPlace} />
        </Suspense>
      ) : (
        placeholder
      )}
      <p className="hint" role="status">
        {lookupHint(lookupStatus, at?.precision ?? null, readOnly)}
      </p>
      {!readOnly && (
        <Button
          variant="outline"
          size="sm"
          className="needs-js"
          busy={lookupStatus === 'asking'}
          disabled={address.trim().length < 5}
          onClick={() => void lookUp()}
        >
          Find the address on the map
        </Button>
      )}
    </fieldset>
  );
}

function lookupHint(
  lookupStatus: LookupStatus,
  precision: keyof typeof precisionMessages | null,
  readOnly: boolean,
): string {
  if (lookupStatus === 'asking') return 'Looking up the address…';
  if (lookupStatus === 'failed')
    return 'The map service is not responding. We will look up the address again when you submit.';
  if (lookupStatus === 'unknown')
    return 'This address was not found. Click or tap the map where the property is, or continue without a pin.';
  if (precision) return readOnly ? 'The pin shows where the property is.' : precisionMessages[precision];
  return readOnly
    ? 'No pin has been placed on the map.'
    : 'The pin appears when the address is known. You can move it.';
}
