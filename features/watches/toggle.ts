import { paths } from '#app/paths.ts';
import { toast } from '#ui/toast.ts';
import { WATCH_FAILED } from './rules.ts';

/**
 * Asks the server from the browser to watch or unwatch. False when it did not happen: the toast says so, or the person
 * is on the way to the sign-in page, from where the wish is carried out (B-026).
 */
export async function setWatched(
  propertyId: string,
  watched: boolean,
  navigate: (to: string) => unknown,
): Promise<boolean> {
  try {
    const response = await fetch(paths.watch(propertyId), {
      method: 'POST',
      headers: { accept: 'application/json' },
      body: new URLSearchParams({ watched: watched ? '1' : '0' }),
    });
    if (response.ok) return true;
    if (response.status === 401) {
      const { signIn } = (await response.json()) as { signIn: string };
      navigate(signIn);
      return false;
    }
  } catch {
    // A lost connection is told like any other failure, below.
  }
  toast({ title: 'Error', text: WATCH_FAILED, tone: 'bad' });
  return false;
}
