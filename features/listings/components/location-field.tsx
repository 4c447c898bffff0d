import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { paths } from '#app/paths.ts';
import { Button } from '#ui/button.tsx';
import { placeOf, precisionWords } from '../form/place.ts';

const PinMap = lazy(() => import('./pin-map.tsx'));

interface Props {
  place: string;
  address: string;
  /** counts up whenever the address field is left; the map then follows a changed address */
  left: number;
  tilesUrl: string | null;
  readOnly: boolean;
  onPlace: (place: string) => void;
}

type Asked = 'asking' | 'unknown' | 'failed' | null;

/** Where the property lies: found by its address, moved by its seller. */
export function LocationField({ place, address, left, tilesUrl, readOnly, onPlace }: Props) {
  const [shown, setShown] = useState(false);
  const [asked, setAsked] = useState<Asked>(null);
  const lastAsked = useRef(address);
  const at = placeOf(place);
  useEffect(() => setShown(true), []);

  async function find() {
    lastAsked.current = address;
    setAsked('asking');
    try {
      const response = await fetch(paths.placeOf(address), { headers: { accept: 'application/json' } });
      if (!response.ok) throw response;
      const { place: found } = (await response.json()) as { place: string | null };
      setAsked(found ? null : 'unknown');
      if (found) onPlace(found);
    } catch {
      setAsked('failed');
    }
  }
  // A pin that the seller has put down stays until a new place is asked for.
  const follow = !readOnly && at?.precision !== 'pin' && address.trim().length >= 5;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only leaving the field asks
  useEffect(() => {
    if (left > 0 && follow && lastAsked.current !== address) void find();
  }, [left]);

  return (
    <fieldset className="fs">
      <legend className="fs-title">Location</legend>
      {shown && (
        <Suspense fallback={<div className="listing-map pin-map" />}>
          <PinMap place={place} tilesUrl={tilesUrl} onMove={readOnly ? null : onPlace} />
        </Suspense>
      )}
      <p className="hint" role="status">
        {wordsOf(asked, at?.precision ?? null, readOnly)}
      </p>
      {!readOnly && shown && (
        <Button
          variant="outline"
          size="sm"
          busy={asked === 'asking'}
          disabled={address.trim().length < 5}
          onClick={() => void find()}
        >
          Find the address on the map
        </Button>
      )}
    </fieldset>
  );
}

function wordsOf(asked: Asked, precision: keyof typeof precisionWords | null, readOnly: boolean): string {
  if (asked === 'asking') return 'Looking for the address…';
  if (asked === 'failed')
    return 'The map cannot be asked at the moment. The address is looked for again when you submit.';
  if (asked === 'unknown')
    return 'This address was not found. Press the map where the property lies, or go on without a pin.';
  if (precision) return readOnly ? 'The pin shows where the property lies.' : precisionWords[precision];
  return readOnly
    ? 'Nobody has put a pin on the map.'
    : 'The pin appears when the address is known. You can move it.';
}
