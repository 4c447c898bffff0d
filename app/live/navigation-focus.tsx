import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';

/**
 * After a navigation without reload: what had the focus is gone with its page, so the heading of the new one gets it; where
 * the focus stays, as on a link of the menu, the new page's title is announced.
 */
export function NavigationFocus() {
  const { pathname, hash } = useLocation();
  const previous = useRef(pathname);
  const [announced, setAnnounced] = useState('');
  useEffect(() => {
    if (previous.current === pathname) return;
    previous.current = pathname;
    // The anchor's own target gets the focus.
    if (hash) return;
    if (document.activeElement && document.activeElement !== document.body) setAnnounced(document.title);
    else return focusHeading();
  }, [pathname, hash]);
  return (
    <div className="vh" aria-live="polite">
      {announced}
    </div>
  );
}

/** Focuses the heading. One whose code is still being loaded gets the focus from the page when it comes. @returns what stops the wait */
function focusHeading(): (() => void) | undefined {
  const main = document.getElementById('main');
  const focus = (element = main?.querySelector('h1') ?? main) => {
    if (!element) return;
    element.tabIndex = -1;
    // The router restores the scroll position.
    element.focus({ preventScroll: true });
  };
  focus();
  if (!main || document.activeElement !== main) return;
  const awaited = new MutationObserver(() => {
    if (document.activeElement !== main) return awaited.disconnect();
    focus();
  });
  awaited.observe(main, { childList: true, subtree: true });
  return () => awaited.disconnect();
}
