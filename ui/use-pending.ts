import { useRef } from 'react';
import { useActionData, useNavigation } from 'react-router';
import { type ActionData, INTENT } from './action-data.ts';

/**
 * The fields of the form with this intent while it is being submitted, else null. A refused form is no longer: its errors are shown,
 * and it can be sent again, while the page is still being read.
 */
export function usePendingForm(intent: string): FormData | null {
  const { formData, state } = useNavigation();
  const answer = useActionData<ActionData>();
  const previous = useRef(answer);
  if (state !== 'loading') previous.current = answer;
  const refused = answer?.ok === false && answer !== previous.current;
  return formData?.get(INTENT) === intent && !refused ? formData : null;
}
