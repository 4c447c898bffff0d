import { useCallback, useContext, useEffect, useRef } from 'react';
import { UNSAFE_DataRouterContext, useNavigation, useRevalidator } from 'react-router';
import { paths } from '#routing/paths.ts';

/**
 * Revalidates the page's data in the background. A failed revalidation would replace the page, and everything typed in
 * it, by an error page; so it is skipped while the server cannot be reached or cannot tell who is signed in (the event stream triggers it again once it
 * reconnects). During a navigation or form submission it waits for the end, because revalidating in between would lose
 * the action's result.
 */
export function useRevalidate(): () => Promise<void> {
  const { revalidate } = useRevalidator();
  const { state } = useNavigation();
  // The router itself: what React shows of its state comes later, and a busy page is late with it.
  const router = useContext(UNSAFE_DataRouterContext)?.router;
  const busy = useRef(false);
  const pending = useRef(false);
  const revalidateWhenIdle = useCallback(async () => {
    const reachable = await isReachable();
    if (busy.current || (router && router.state.navigation.state !== 'idle')) pending.current = true;
    else if (reachable) await revalidate();
  }, [revalidate, router]);
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
