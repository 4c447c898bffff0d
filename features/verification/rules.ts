import { anyone } from '#platform/access.ts';
import type { Question } from './model.ts';

/** Whoever has a document may check it, without an account. */
export const mayVerify = anyone;

export const NOT_A_QUESTION =
  'Please enter a document number such as ATP-000042, or a SHA-256 of 64 characters (0–9, a–f).';

const NUMBER = /^[A-Z0-9]+(?:-[A-Z0-9]+)*$/;
const MAX_NUMBER = 60;

/**
 * What a text asks about, or null: a SHA-256 in any case, also as `sha256sum` prints it, before the file's name, or after `0x`; else a
 * document's number, in any case.
 */
export function questionOf(text: string): Question | null {
  const [word = ''] = text.trim().split(/\s/);
  const [, sha256] = /^(?:0x)?([0-9a-f]{64})$/i.exec(word) ?? [];
  if (sha256) return { by: 'file', sha256: sha256.toLowerCase() };
  const number = text.trim().toUpperCase();
  return number.includes('-') && number.length <= MAX_NUMBER && NUMBER.test(number)
    ? { by: 'number', number }
    : null;
}
