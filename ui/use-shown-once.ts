import { useState } from 'react';

/**
 * What an answer brings that cannot be had again, such as a new secret: it stays until the next one, or until the page is left, also
 * when another form of the page is answered or one of its dialogs is opened. Whoever signs in meanwhile in another tab does not see it.
 */
export function useShownOnce<T>(latest: T | undefined, viewerId: string | undefined): T | undefined {
  const [shown, setShown] = useState({ value: latest, viewerId });
  const isNew = viewerId !== shown.viewerId || (latest !== undefined && latest !== shown.value);
  if (isNew) setShown({ value: latest, viewerId });
  return isNew ? latest : shown.value;
}
