import { useContext, useEffect, useRef } from 'react';
import { type Location, UNSAFE_DataRouterContext, useLocation } from 'react-router';

/**
 * Where the visitor is going: the URL of a navigation that is still loading, otherwise the present one. It is read from the
 * router when it is called, since what React shows of the router's state comes later, and a busy page is late with it.
 */
export function useDestination(): () => Location {
  const router = useContext(UNSAFE_DataRouterContext)?.router;
  const shown = useLocation();
  return () => router?.state.navigation.location ?? router?.state.location ?? shown;
}

/**
 * Whether the page is being left, or has been. What navigates of itself, such as a search after a pause or an upload that has
 * ended, asks first: it would undo what the visitor chose meanwhile.
 */
export function useIsLeaving(): () => boolean {
  const destination = useDestination();
  const { pathname } = useLocation();
  return () => destination().pathname !== pathname;
}

/**
 * Whether the page is being left, or has been, for one that leads back to it: the sign-in page, when the session has ended. What
 * the visitor has not finished is still wanted then.
 */
export function useIsComingBack(): () => boolean {
  const destination = useDestination();
  const { pathname } = useLocation();
  return () => new URLSearchParams(destination().search).get('next')?.split('?')[0] === pathname;
}

/** Whether a link has been followed and its page is not shown yet; a form's own search that is loading does not count. */
export function useIsFollowingLink(): () => boolean {
  const router = useContext(UNSAFE_DataRouterContext)?.router;
  const { key } = useLocation();
  const shown = useRef(key);
  useEffect(() => {
    shown.current = key;
  }, [key]);
  return () => {
    if (!router) return false;
    const { navigation, location } = router.state;
    return navigation.state === 'loading'
      ? navigation.formMethod === undefined
      : location.key !== shown.current;
  };
}
