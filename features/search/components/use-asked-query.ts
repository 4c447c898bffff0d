import { useLocation } from 'react-router';
import type { PropertiesQuery } from '#routing/paths.ts';
import { useDestination, useIsLeaving } from '#ui/use-destination.ts';
import { queryOfParams } from './form-query.ts';

/**
 * The search that the visitor asked for last. The map moves for a moment after it was asked to: by then another filter may have
 * been chosen, which its own search must keep, or the map may have been left, and must not come back.
 * @param shown the query of the list on the page
 * @returns null when the map is being left
 */
export function useAskedQuery(shown: PropertiesQuery): () => PropertiesQuery | null {
  const destination = useDestination();
  const isLeaving = useIsLeaving();
  const { search } = useLocation();
  return () => {
    const asked = destination();
    const params = new URLSearchParams(asked.search);
    if (isLeaving() || params.get('map') !== '1') return null;
    return asked.search === search ? shown : queryOfParams(params);
  };
}
