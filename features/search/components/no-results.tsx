import { type PropertiesQuery, paths } from '#routing/paths.ts';
import { ButtonLink } from '#ui/button.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { formatTotal } from '../model.ts';
import { isFiltered } from './result-count.tsx';

interface Props {
  query: PropertiesQuery;
  /** how many match outside of the map area; null when there is none in the search */
  elsewhere: { total: number; capped: boolean } | null;
}

/** An empty list, with what empties it and the way out. */
export default function NoResults({ query, elsewhere }: Props) {
  const hidden = elsewhere && elsewhere.total > 0 ? elsewhere : null;
  const [text, label, to] = hidden
    ? [outside(hidden), 'Search everywhere', paths.properties({ ...query, bbox: undefined, page: undefined })]
    : ['Choose another type or clear the search.', 'All Properties', paths.properties()];
  return (
    <EmptyState
      title="No properties available at the moment."
      text={isFiltered(query) ? text : undefined}
      action={
        isFiltered(query) && (
          <ButtonLink variant="outline" to={to}>
            {label}
          </ButtonLink>
        )
      }
    />
  );
}

const outside = (found: { total: number; capped: boolean }): string =>
  found.total === 1
    ? 'The search is limited to an area of the map. 1 property matches elsewhere.'
    : `The search is limited to an area of the map. ${formatTotal(found)} properties match elsewhere.`;
