import { useState } from 'react';
import type { ActionData } from './action-data.ts';
import { useAnswer } from './use-answer.ts';

/**
 * The answer to a form of a dialog, until the form is answered again, the dialog is closed or the page is left.
 * @returns the answer, and how to forget it
 */
export function useLastAnswer(latest: ActionData | undefined): [ActionData | undefined, () => void] {
  const answer = useAnswer(latest);
  // Forgetting cannot clear it: as long as the page is not read again, the router hands it in anew.
  const [forgotten, setForgotten] = useState<ActionData>();
  return [answer === forgotten ? undefined : answer, () => setForgotten(answer)];
}
