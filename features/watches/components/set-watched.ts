import { useLocation, useNavigate } from 'react-router';
import { paths } from '#app/paths.ts';
import { toast } from '#ui/toast.ts';
import { SIGN_IN_TO_WATCH, WATCH_FAILED } from '../rules.ts';

/** The last wish for each property: the next one waits for it, so that the newest is what stays. */
const underway = new Map<string, Promise<unknown>>();

function post(propertyId: string, watched: boolean): Promise<Response> {
  const send = () =>
    fetch(paths.watch(propertyId), {
      method: 'POST',
      headers: { accept: 'application/json' },
      body: new URLSearchParams({ watched: watched ? '1' : '0' }),
    });
  const answer = (underway.get(propertyId) ?? Promise.resolve()).then(send, send);
  underway.set(propertyId, answer);
  return answer;
}

/**
 * How a page watches or unwatches from the browser. A visitor is led to the sign-in page, from where the wish is
 * carried out (S0 §6, B-026). The promise is false when it did not happen; a toast has then said so.
 */
export function useSetWatched(signedIn: boolean) {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();

  function leadToSignIn(propertyId: string): false {
    toast({ ...SIGN_IN_TO_WATCH, tone: 'info' });
    void navigate(paths.buyerLogin({ next: pathname + search, intent: `watch:${propertyId}` }));
    return false;
  }
  return async (propertyId: string, watched: boolean): Promise<boolean> => {
    if (!signedIn) return leadToSignIn(propertyId);
    try {
      const response = await post(propertyId, watched);
      if (response.ok) return true;
      if (response.status === 401) return leadToSignIn(propertyId);
    } catch {
      // A lost connection is told like any other failure.
    }
    toast({ title: 'Error', text: WATCH_FAILED, tone: 'bad' });
    return false;
  };
}
