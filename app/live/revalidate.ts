import { useCallback, useContext, useEffect, useRef } from 'react';
import { UNSAFE_DataRouterContext, useNavigation, useRevalidator } from 'react-router';
import { paths } from '#routing/paths.ts';

/** How long to wait until the server is asked again that could not be reached. */
const RETRY_MS = 5_000;

/**
 * Revalidates the page's data in the background. A failed revalidation would replace the page, and everything typed in
 * it, by an error page; so it waits while the server cannot be reached or cannot tell who is signed in. It also waits for the end of a
 * navigation or form submission, because revalidating in between would lose the action's result.
 * @param instead reads the data anew in another way, such as by a URL that says more
 */
export function useRevalidate(instead?: () => Promise<void>): () => Promise<void> {
  const { revalidate } = useRevalidator();
  const read = useRef(instead ?? revalidate);
  read.current = instead ?? revalidate;
  const { state } = useNavigation();
  // The router itself: what React shows of its state comes later, and a busy page is late with it.
  const router = useContext(UNSAFE_DataRouterContext)?.router;
  const busy = useRef(false);
  const pending = useRef(false);
  const retry = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const mounted = useRef(false);
  const revalidateWhenIdle = useCallback(async () => {
    clearTimeout(retry.current);
    const reachable = await isReachable();
    if (!mounted.current) return;
    if (busy.current || (router && router.state.navigation.state !== 'idle')) pending.current = true;
    else if (reachable) await read.current();
    else retry.current = setTimeout(() => void revalidateWhenIdle(), RETRY_MS);
  }, [router]);
  useEffect(() => {
    mounted.current = true;
    return () => {
      mounted.current = false;
      clearTimeout(retry.current);
    };
  }, []);
  useEffect(() => {
    busy.current = state !== 'idle';
    if (busy.current || !pending.current) return;
    pending.current = false;
    void revalidateWhenIdle();
  }, [state, revalidateWhenIdle]);
  return revalidateWhenIdle;
}

const isReachable = () =>
  fetch(paths.session(), { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );
