import { useActionData, useNavigation } from 'react-router';
import { type ActionData, INTENT } from './action-data.ts';

/**
 * The fields of the form with this intent while it is being submitted, else null. A refused form is no longer: its errors are shown,
 * and it can be sent again, while the page is still being read.
 */
export function usePendingForm(intent: string): FormData | null {
  const { formData, state, location } = useNavigation();
  const answer = useActionData<ActionData>();
  // While a redirect is followed, the answer is still the one before it.
  const refused = state === 'loading' && answer?.ok === false && !location.state?._isRedirect;
  return formData?.get(INTENT) === intent && !refused ? formData : null;
}
