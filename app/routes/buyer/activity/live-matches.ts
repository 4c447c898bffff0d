import { useLiveEvents } from '#app/live/live-events.ts';
import { useRevalidate } from '#app/live/revalidate.ts';

/** Revalidates the page when one of the viewer's saved searches has a new match. */
export function useLiveSavedSearchMatches(): void {
  const revalidate = useRevalidate();
  useLiveEvents(({ type }) => {
    if (type === 'saved-search.match') void revalidate();
  });
}
