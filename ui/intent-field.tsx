import { INTENT } from './action-data.ts';

/** Says which of its page's forms this is. */
export const IntentField = ({ is }: { is: string }) => <input type="hidden" name={INTENT} value={is} />;
