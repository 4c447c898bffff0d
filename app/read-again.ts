import { useCallback, useEffect, useRef } from 'react';
import { useNavigation, useRevalidator } from 'react-router';

/**
 * Reads the page's data again without anybody having asked for it. A page whose reading fails would give way to an error
 * page, with everything typed in it; so nothing is read while the server cannot be reached. What is missed then is made
 * up for when the event stream is there again. While somebody goes on or sends a form it waits for the end of that: read
 * in between, the word about what was done would be lost.
 */
export function useReadAgain(): () => Promise<void> {
  const { revalidate } = useRevalidator();
  const { state } = useNavigation();
  const busy = useRef(false);
  const due = useRef(false);
  const readAgain = useCallback(async () => {
    const reachable = await isReachable();
    if (busy.current) due.current = true;
    else if (reachable) await revalidate();
  }, [revalidate]);
  useEffect(() => {
    busy.current = state !== 'idle';
    if (busy.current || !due.current) return;
    due.current = false;
    void readAgain();
  }, [state, readAgain]);
  return readAgain;
}

const isReachable = () =>
  fetch('/healthz', { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );
