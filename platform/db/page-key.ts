import { type RawBuilder, sql } from 'kysely';
import { BadRequest } from '../errors.ts';

/** Keyset pagination: the last row of a page ordered by time and id. `at` is exact to the microsecond. */
export interface PageKey {
  at: string;
  id: string;
}

const PATTERN =
  /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z)~([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** SQL for the key of a row as text, from its time and its id. */
export const pageKey = (at: RawBuilder<unknown>, id: RawBuilder<unknown>): RawBuilder<string> =>
  sql<string>`to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '~' || ${id}`;

/**
 * Parses a key sent back by the browser; null for none.
 * @throws BadRequest for anything that `pageKey` would not produce
 */
export function readPageKey(text: string | null | undefined): PageKey | null {
  if (!text) return null;
  const [, at, id] = PATTERN.exec(text) ?? [];
  if (!at || !id || !isTime(at)) throw new BadRequest();
  return { at, id };
}

/** Whether there is such a time: the 30th of February is a day of March to a `Date`, and an error to the database. */
function isTime(text: string): boolean {
  const time = new Date(text);
  const toMilliseconds = text.slice(0, 'YYYY-MM-DDTHH:MM:SS.mmm'.length);
  return !Number.isNaN(time.getTime()) && text > '0001' && time.toISOString().startsWith(toMilliseconds);
}
