import { useLocation, useNavigate } from 'react-router';
import { paths } from '#routing/paths.ts';
import { post } from '#ui/post.ts';
import { toast } from '#ui/toast.ts';
import { SIGN_IN_TO_WATCH, WATCH_FAILED } from '../rules.ts';

/** The latest request for each property: the next one waits for it, so that the last one wins. */
const inFlight = new Map<string, ReturnType<typeof post>>();

function enqueue(propertyId: string, watched: boolean) {
  const send = () => post(paths.watch(propertyId), new URLSearchParams({ watched: watched ? '1' : '0' }));
  const answer = (inFlight.get(propertyId) ?? Promise.resolve()).then(send);
  inFlight.set(propertyId, answer);
  return answer;
}

/**
 * Returns a function that watches or unwatches a property. Visitors are sent to the sign-in page, which then carries
 * out the intent. Its promise resolves to false if nothing was changed, after a toast has said so.
 */
export function useSetWatched(signedIn: boolean) {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();

  function redirectToSignIn(propertyId: string): false {
    toast({ ...SIGN_IN_TO_WATCH, tone: 'info' });
    void navigate(paths.buyerLogin({ next: pathname + search, intent: `watch:${propertyId}` }));
    return false;
  }
  return async (propertyId: string, watched: boolean): Promise<boolean> => {
    if (!signedIn) return redirectToSignIn(propertyId);
    const posted = await enqueue(propertyId, watched);
    if (posted?.ok) return true;
    if (posted?.status === 401) return redirectToSignIn(propertyId);
    toast({ title: 'Error', text: WATCH_FAILED, tone: 'bad' });
    return false;
  };
}
