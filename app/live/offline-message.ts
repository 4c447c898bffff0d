import { toast } from '#ui/toast.ts';

const OFFLINE = {
  title: 'You are offline',
  text: 'This page stays open. Please try again once you are connected.',
  tone: 'warn',
} as const;

/**
 * Without a connection a link would end in the browser's own error page: this page stays instead, with everything that is typed
 * in it, and says why. Forms that write say so themselves.
 */
export function stayWhenOffline(): () => void {
  const onClick = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link || event.defaultPrevented || !leavesPage(link)) return;
    stay(event);
  };
  const onSubmit = (event: SubmitEvent) => {
    if (event.target instanceof HTMLFormElement && event.target.method === 'get') stay(event);
  };
  const listening = new AbortController();
  const options = { capture: true, signal: listening.signal };
  addEventListener('click', onClick, options);
  addEventListener('submit', onSubmit, options);
  return () => listening.abort();
}

function stay(event: Event): void {
  if (navigator.onLine) return;
  event.preventDefault();
  // Handlers of the page may navigate by themselves.
  event.stopImmediatePropagation();
  toast(OFFLINE);
}

/** Whether a link leads to another address of this site. */
const leavesPage = ({ origin, pathname, search }: HTMLAnchorElement): boolean =>
  origin === location.origin && pathname + search !== location.pathname + location.search;
