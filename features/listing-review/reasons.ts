/** Why a listing is sent back; the label is part of what its seller reads. */
export const reasons = {
  photos: 'Photos are missing or unclear',
  description: 'The description is incomplete or misleading',
  facts: 'Facts do not agree with each other',
  price: 'The price is wrong',
  address: 'The address or its place on the map is wrong',
  duplicate: 'Possible duplicate',
  ownership: 'The right to sell is not confirmed',
  rules: 'Against the rules of the marketplace',
  other: 'Other',
} as const;
type Reason = keyof typeof reasons;

/** Longest message to a seller, in characters. */
export const MESSAGE_MAX_LENGTH = 1000;

const isReason = (text: string): text is Reason => Object.hasOwn(reasons, text);

type Reading =
  | { ok: true; note: string }
  | { ok: false; errors: Partial<Record<'reason' | 'message', string>> };

/**
 * What the seller of a listing that is sent back reads: the reason, then the words of the administrator. Both are
 * required, because a reason alone does not say what to do.
 */
export function noteFrom({ reason, message }: { reason: string; message: string }): Reading {
  const words = message.replaceAll('\0', '').replaceAll('\r\n', '\n').trim();
  const wrongWords = problemOf(words);
  if (!isReason(reason) || wrongWords !== null)
    return {
      ok: false,
      errors: {
        ...(!isReason(reason) && { reason: 'Please choose a reason.' }),
        ...(wrongWords !== null && { message: wrongWords }),
      },
    };
  return { ok: true, note: reason === 'other' ? words : `${reasons[reason]}. ${words}` };
}

function problemOf(words: string): string | null {
  if (words === '') return 'Please write what the seller has to do.';
  return words.length > MESSAGE_MAX_LENGTH
    ? `The message can have at most ${MESSAGE_MAX_LENGTH} characters.`
    : null;
}
