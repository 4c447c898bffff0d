import { useEffect, useState } from 'react';
import type { ActionData } from './action-data.ts';

/**
 * The answer to a form until it is sent again: the router forgets it as soon as the page is brought up to date, which happens at any
 * moment, and with it would go what is wrong with the form.
 * @returns the answer, and how to forget it
 */
export function useLastAnswer(
  answer: ActionData | undefined,
  pending: boolean,
): [ActionData | undefined, () => void] {
  const [last, setLast] = useState(answer);
  useEffect(() => {
    if (answer) setLast(answer);
  }, [answer]);
  useEffect(() => {
    if (pending) setLast(undefined);
  }, [pending]);
  return [answer ?? last, () => setLast(undefined)];
}
