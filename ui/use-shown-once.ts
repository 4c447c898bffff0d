import { useState } from 'react';

/**
 * What an answer brings that cannot be had again, such as a new secret: it stays until the next one, or until the page is left, also
 * when another form of the page is answered or one of its dialogs is opened.
 */
export function useShownOnce<T>(latest: T | undefined): T | undefined {
  const [shown, setShown] = useState(latest);
  if (latest !== undefined && latest !== shown) setShown(latest);
  return latest ?? shown;
}
