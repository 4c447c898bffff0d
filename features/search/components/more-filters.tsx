import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import type { PropertiesQuery } from '#routing/paths.ts';
import { loadedLater } from '#ui/loaded-later.tsx';

const MoreFiltersPanel = loadedLater(async () => (await import('./more-filters-panel.tsx')).MoreFiltersPanel);

interface Props {
  query: PropertiesQuery;
  /** what is wrong with the prices; also opens the panel */
  priceError: string | null;
  children: ReactNode;
}

/**
 * Price, bedrooms and bathrooms in a disclosure panel whose button shows how many are set; Escape or a click outside
 * closes it.
 */
export function MoreFilters({ query, priceError, children }: Props) {
  const set = [query.min, query.max, query.beds, query.baths].filter(Boolean).length;
  const panel = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const onPress = ({ target }: PointerEvent) => {
      if (target instanceof Node && !panel.current?.contains(target)) panel.current?.removeAttribute('open');
    };
    addEventListener('pointerdown', onPress);
    return () => removeEventListener('pointerdown', onPress);
  }, []);
  function onKey({ key, currentTarget }: KeyboardEvent<HTMLDetailsElement>) {
    if (key !== 'Escape' || !currentTarget.open) return;
    currentTarget.open = false;
    currentTarget.querySelector('summary')?.focus();
  }
  return (
    <details className="more-filters" name="filters" open={priceError !== null} ref={panel} onKeyDown={onKey}>
      <summary className="btn btn-outline">
        {children}
        {set ? `Filters (${set})` : 'Filters'}
      </summary>
      <MoreFiltersPanel query={query} priceError={priceError} />
    </details>
  );
}
