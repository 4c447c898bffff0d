import type L from 'leaflet';
import { type PointerEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';

interface Props {
  map: L.Map;
  /** pixels of the map that the sheet covers while it is closed */
  onCovered: (pixels: number) => void;
}

/** How far the handle is drawn to open or close the sheet, in pixels. */
const DRAWN_PX = 24;

/** Where the window has no room for both: the list as a sheet over the lower part of the map, with the handle that opens it. */
export function MapSheet({ map, onCovered }: Props) {
  const [open, setOpen] = useState(false);
  const [host, setHost] = useState<HTMLElement | null>(null);
  const press = useRef({ from: 0, drawn: false });

  useLayoutEffect(() => {
    const results = map.getContainer().closest('.found-views')?.querySelector('.listing-results');
    if (!results) return;
    const created = document.createElement('div');
    created.className = 'map-sheet-handle';
    // Before the list, so that the keyboard comes to the handle first.
    results.before(created);
    setHost(created);
    return () => {
      created.remove();
      results.removeAttribute('data-sheet');
    };
  }, [map]);

  useLayoutEffect(() => {
    host?.nextElementSibling?.setAttribute('data-sheet', open ? 'open' : 'closed');
  }, [host, open]);

  useEffect(() => {
    const results = host?.nextElementSibling;
    if (!host || !(results instanceof HTMLElement)) return;
    const measure = () => {
      const narrow = host.offsetParent !== null && getComputedStyle(host).display !== 'none';
      onCovered(narrow ? host.offsetHeight + results.offsetHeight : 0);
    };
    const watching = new ResizeObserver(measure);
    watching.observe(results);
    measure();
    return () => watching.disconnect();
  }, [host, onCovered]);

  if (!host) return null;
  const lift = ({ clientY }: PointerEvent) => {
    const { from } = press.current;
    press.current.drawn = Math.abs(clientY - from) >= DRAWN_PX;
    if (press.current.drawn) setOpen(clientY < from);
  };
  const toggle = () => {
    // The click at the end of a draw.
    if (press.current.drawn) press.current.drawn = false;
    else setOpen(!open);
  };
  return createPortal(
    <button
      type="button"
      aria-expanded={open}
      onClick={toggle}
      onKeyDown={({ key }) => key === 'Escape' && setOpen(false)}
      onPointerDown={({ clientY, currentTarget, pointerId }) => {
        press.current = { from: clientY, drawn: false };
        currentTarget.setPointerCapture(pointerId);
      }}
      onPointerUp={lift}
    >
      {open ? 'Hide list' : 'Show list'}
    </button>,
    host,
  );
}
