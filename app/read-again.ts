import { useCallback } from 'react';
import { useRevalidator } from 'react-router';

/**
 * Reads the page's data again without anybody having asked for it. A page whose reading fails would give way to an error
 * page, with everything typed in it; so nothing is read while the server cannot be reached. What is missed then is made
 * up for when the event stream is there again.
 */
export function useReadAgain(): () => Promise<void> {
  const { revalidate } = useRevalidator();
  return useCallback(async () => {
    if (await isReachable()) await revalidate();
  }, [revalidate]);
}

const isReachable = () =>
  fetch('/healthz', { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );
