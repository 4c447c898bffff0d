import { useRevalidator } from 'react-router';
import { useLiveEvents } from '#app/live-events.ts';

/** Reads the page again when a saved search of the reader's has found something. */
export function useLiveMatches(): void {
  const { revalidate } = useRevalidator();
  useLiveEvents(({ type }) => {
    if (type === 'saved-search.match') void revalidate();
  });
}
