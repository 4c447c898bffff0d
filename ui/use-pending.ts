import { useNavigation } from 'react-router';
import { INTENT } from './action-data.ts';

/** The fields of the form with this intent while it is being submitted, else null. */
export function usePendingForm(intent: string): FormData | null {
  const { formData } = useNavigation();
  return formData?.get(INTENT) === intent ? formData : null;
}
