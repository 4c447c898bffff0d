import { cutText } from '#platform/cut-text.ts';
import { BREAK_TEXT_MAX_LENGTH } from './rules.ts';

/** A reason as it is stored; null for none. */
export function reasonFrom(text: string): string | null {
  const reason = cutText(text.trim(), BREAK_TEXT_MAX_LENGTH);
  return reason === '' ? null : reason;
}
