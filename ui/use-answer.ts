import { useState } from 'react';
import { useLocation } from 'react-router';

/**
 * The answer to the page's last form, until another one is answered or the page is left. The router forgets it as soon as the page is
 * brought up to date in the background, and with it would go what is shown only once, or a dialog that is open.
 */
export function useAnswer<T>(latest: T | undefined): T | undefined {
  const { key } = useLocation();
  const [last, setLast] = useState({ answer: latest, key });
  const isNew = last.key !== key || (latest !== undefined && latest !== last.answer);
  if (isNew) setLast({ answer: latest, key });
  return isNew ? latest : last.answer;
}
