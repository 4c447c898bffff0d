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
    else focusHeading();
  }, [pathname, hash]);
  return (
    <div className="vh" aria-live="polite">
      {announced}
    </div>
  );
}

function focusHeading(): void {
  const heading = document.querySelector<HTMLElement>('#main h1') ?? document.getElementById('main');
  if (!heading) return;
  heading.tabIndex = -1;
  // The router restores the scroll position.
  heading.focus({ preventScroll: true });
}
