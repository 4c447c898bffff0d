import { createHash } from 'node:crypto';
import type { Query } from '#platform/db/database.ts';
import { PaymentError, type Rail } from '../port.ts';

/** One use of an idempotency key; `content` is everything that has to be the same when the key comes again. */
export interface KeyUse {
  rail: Rail;
  key: string;
  content: object;
  now: Date;
}

/**
 * Does the work of a key once, in the caller's transaction: a key that comes again gets the first answer without any
 * work, and one that comes at the same time waits for it. Refused work leaves its key unused. The answer is kept as JSON.
 * @throws PaymentError `conflict` for a key that was used with other content, `invalid` for what is no key
 */
export async function once<Answer extends object>(
  q: Query,
  { rail, key, content, now }: KeyUse,
  work: () => Promise<Answer>,
): Promise<Answer> {
  if (!/^[\x21-\x7e]{1,255}$/.test(key))
    throw new PaymentError('invalid', 'An idempotency key is 1 to 255 printable characters');
  const fingerprint = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  const taken = await q
    .insertInto('sandbox_keys')
    .values({ rail, key, fingerprint, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (taken.numInsertedOrUpdatedRows === 0n) {
    const first = await q
      .selectFrom('sandbox_keys')
      .select(['fingerprint', 'answer'])
      .where('rail', '=', rail)
      .where('key', '=', key)
      .executeTakeFirstOrThrow();
    if (first.fingerprint !== fingerprint)
      throw new PaymentError('conflict', 'This idempotency key was used for something else');
    return first.answer as Answer;
  }
  const answer = await work();
  await q
    .updateTable('sandbox_keys')
    .set({ answer: JSON.stringify(answer) })
    .where('rail', '=', rail)
    .where('key', '=', key)
    .execute();
  return answer;
}
