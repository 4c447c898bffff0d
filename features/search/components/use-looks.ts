import L from 'leaflet';
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { followList, listedIds, markCard } from './list-links.ts';
import { mapCards } from './map-cards.ts';
import { type LookedAt, type Pins, RAISED } from './map-pins.ts';
import { PREVIEW_ID } from './pin-preview.tsx';

/** How long the preview stays after the mouse left its pin, so that it can go to the card; in milliseconds. */
const LEAVE_MS = 180;

/** Joins the pins and the cards of the list: what the mouse or the keyboard is on in one is marked in the other. */
export function useLooks(map: L.Map | null, pins: RefObject<Pins | null>) {
  const cards = useRef(mapCards());
  const [looked, setLooked] = useState<LookedAt | null>(null);
  const [, setLoaded] = useState(0);
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined);

  const over = useRef(false);

  const look = useCallback((at: LookedAt | null) => {
    clearTimeout(leaving.current);
    if (!at) {
      if (over.current) return;
      leaving.current = setTimeout(() => setLooked(null), LEAVE_MS);
      return;
    }
    over.current = false;
    setLooked(at);
    void cards.current.load([at.listing.id]).then(() => setLoaded((count) => count + 1));
  }, []);
  const close = useCallback(() => {
    clearTimeout(leaving.current);
    over.current = false;
    setLooked(null);
  }, []);
  /** the mouse is on the preview, or left it */
  const hover = useCallback(
    (on: boolean) => {
      clearTimeout(leaving.current);
      over.current = on;
      if (!on) look(null);
    },
    [look],
  );

  useEffect(() => {
    if (!looked) return;
    const onKey = ({ key }: KeyboardEvent) => key === 'Escape' && close();
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [looked, close]);

  useEffect(() => {
    const section = map?.getContainer();
    if (!section) return;
    markCard(section, looked?.listing.id ?? null);
    looked?.element.setAttribute('aria-describedby', PREVIEW_ID);
    return () => looked?.element.removeAttribute('aria-describedby');
  }, [map, looked]);

  useEffect(() => {
    if (!map) return;
    let lit: L.Marker | undefined;
    let spot: L.Layer | null = null;
    let wanted: string | null = null;
    const clear = () => {
      lit?.setZIndexOffset(0);
      lit?.getElement()?.classList.remove('map-lit');
      spot?.remove();
      spot = null;
    };
    const show = (id: string) => {
      clear();
      lit = pins.current?.of(id);
      lit?.setZIndexOffset(RAISED);
      lit?.getElement()?.classList.add('map-lit');
      const card = cards.current.known(id);
      // In a group of many there is no pin of its own.
      if (!lit && card)
        spot = L.circleMarker([card.latitude, card.longitude], {
          interactive: false,
          radius: 9,
          className: 'map-spot',
        }).addTo(map);
    };
    const stop = followList(map.getContainer(), (id) => {
      wanted = id;
      if (id === null) return clear();
      show(id);
      void cards.current.load([id, ...listedIds(map.getContainer())]).then(() => wanted === id && show(id));
    });
    return () => {
      stop();
      // A card that is still being loaded must not be shown on a map that is gone.
      wanted = null;
      clear();
    };
  }, [map, pins]);

  useEffect(() => () => clearTimeout(leaving.current), []);
  return { looked, look, close, hover, card: looked ? cards.current.known(looked.listing.id) : undefined };
}
