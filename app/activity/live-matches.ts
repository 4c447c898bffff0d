import { useLiveEvents } from '#app/live-events.ts';
import { useReadAgain } from '#app/read-again.ts';

/** Reads the page again when a saved search of the reader's has found something. */
export function useLiveMatches(): void {
  const readAgain = useReadAgain();
  useLiveEvents(({ type }) => {
    if (type === 'saved-search.match') void readAgain();
  });
}
