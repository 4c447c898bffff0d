import { useEffect, useState } from 'react';
import type { ActionData } from '#ui/action-data.ts';

/**
 * The answer to a form until it is sent again: the router forgets it as soon as the page is brought up to date, which happens at any
 * moment, and with it would go what is wrong with the form.
 * @returns the answer, and how to forget it
 */
export function useLastAnswer(
  answer: ActionData | undefined,
  pending: boolean,
): [ActionData | undefined, () => void] {
  const [kept, setKept] = useState(answer);
  useEffect(() => {
    if (answer) setKept(answer);
  }, [answer]);
  useEffect(() => {
    if (pending) setKept(undefined);
  }, [pending]);
  return [answer ?? kept, () => setKept(undefined)];
}
