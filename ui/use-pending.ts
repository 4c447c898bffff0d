import { useActionData, useNavigation } from 'react-router';
import { type ActionData, INTENT } from './action-data.ts';

/**
 * The fields of the form that is being submitted, else null. A refused one is no longer: its errors are shown, and it can be sent
 * again, while the page is still being read.
 * @param refused the latest answer is a refusal
 */
export function usePendingData(refused: boolean): FormData | null {
  const { formData, state, location } = useNavigation();
  // While a redirect is followed, the answer is still the one before it.
  const answered = state === 'loading' && !location.state?._isRedirect;
  return formData && !(refused && answered) ? formData : null;
}

/** The fields of the form with this intent while it is being submitted, else null; see `usePendingData`. */
export function usePendingForm(intent: string): FormData | null {
  const answer = useActionData<ActionData>();
  const form = usePendingData(answer?.ok === false);
  return form?.get(INTENT) === intent ? form : null;
}
