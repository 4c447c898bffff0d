import { useEffect, useState } from 'react';
import { useLocation, useNavigation } from 'react-router';

/** How long a page stays as it is while another one is loading, in milliseconds. */
const SLOW_MS = 400;

/** The path of the page that is being navigated to, once that takes noticeably long; null before. */
export function useSlowPath(): string | null {
  const { state, location, formMethod } = useNavigation();
  const here = useLocation().pathname;
  const [slow, setSlow] = useState<string | null>(null);
  const target = state === 'loading' && formMethod === undefined ? location.pathname : here;
  useEffect(() => {
    if (target === here) return setSlow(null);
    const timer = setTimeout(() => setSlow(target), SLOW_MS);
    return () => clearTimeout(timer);
  }, [target, here]);
  return target !== here && slow === target ? target : null;
}
