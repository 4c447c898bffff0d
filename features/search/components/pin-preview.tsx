import { type CSSProperties, useLayoutEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { ListingPictureView } from '#features/listings/components/listing-picture.tsx';
import { wholeDollars } from '#platform/money.ts';
import { paths } from '#routing/paths.ts';
import type { MapCardJson } from './map-card-json.ts';
import type { LookedAt } from './map-pins.ts';

interface Props {
  at: LookedAt;
  /** undefined until it is loaded: price and address are known before */
  card: MapCardJson | undefined;
  /** pixels at the lower edge of the map that a sheet covers */
  covered: number;
  /** the mouse is on the card, or left it */
  onHover: (over: boolean) => void;
}

/** Pixels between the card, its pin and the edges of the map. */
const GAP = 10;

/** What a pin stands for, beside it: a card that the mouse can go to and a finger can press; the keyboard opens the pin itself. */
export function PinPreview({ at, card, covered, onHover }: Props) {
  const box = useRef<HTMLElement>(null);
  const [place, setPlace] = useState<CSSProperties>({ visibility: 'hidden' });
  const { listing, element } = at;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the size changes with the card
  useLayoutEffect(() => {
    const own = box.current;
    const map = own?.parentElement?.getBoundingClientRect();
    if (!own || !map) return;
    const pin = element.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = own;
    const above = pin.top - map.top - height - GAP;
    const below = pin.bottom - map.top + GAP;
    const left = (pin.left + pin.right) / 2 - map.left - width / 2;
    const lowest = map.height - covered - height - GAP;
    setPlace({
      top: Math.max(GAP, above >= GAP ? above : Math.min(below, lowest)),
      left: Math.max(GAP, Math.min(left, map.width - width - GAP)),
    });
  }, [element, card, covered]);
  return (
    <article
      className="map-preview"
      id={PREVIEW_ID}
      ref={box}
      style={place}
      onPointerEnter={() => onHover(true)}
      onPointerLeave={() => onHover(false)}
    >
      <Link to={paths.property(listing.id)} tabIndex={-1}>
        {card && (
          <ListingPictureView
            listingId={card.id}
            type={card.type}
            picture={card.picture}
            sizes="240px"
            eager
          />
        )}
        <b>{wholeDollars(listing.totalCents)}</b>
        <span>{listing.address}</span>
        {card && <span>{card.town}</span>}
        {card && <span>{[card.type, ...card.facts].join(' · ')}</span>}
      </Link>
    </article>
  );
}

/** The card describes its pin to screen readers. */
export const PREVIEW_ID = 'map-preview';
