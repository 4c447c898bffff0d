import type { ReactNode } from 'react';
import type { PropertiesQuery } from '#routing/paths.ts';
import { loadedLater } from '#ui/loaded-later.tsx';

const MoreFiltersPanel = loadedLater(async () => (await import('./more-filters-panel.tsx')).MoreFiltersPanel);

/** What is not a filter of the panel. */
const apart = ['q', 'type', 'sort', 'bbox', 'area', 'map', 'words'];

/** The further filters in a disclosure panel whose button shows how many are set. */
export function MoreFilters({ query, children }: { query: PropertiesQuery; children: ReactNode }) {
  const set = Object.entries(query).flatMap(([name, value]) => (apart.includes(name) ? [] : (value ?? [])));
  return (
    <details className="more-filters" name="filters">
      <summary className="btn btn-outline">
        {children}
        {set.length ? `Filters (${set.length})` : 'Filters'}
      </summary>
      <MoreFiltersPanel query={query} />
    </details>
  );
}
