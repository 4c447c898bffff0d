import { createHash } from 'node:crypto';
import type { Database } from '#platform/db/database.ts';
import { DAY } from '#platform/durations.ts';
import { PaymentError } from '../port.ts';
import type { SandboxAccount } from './rules.ts';

/** A provider forgets a key after a day; then it is as if it had never been used. */
const LIFETIME_MS = DAY;

/** One use of an idempotency key; `content` is everything that must be the same when the key is used again. */
interface IdempotencyKeyUse {
  who: SandboxAccount;
  key: string;
  content: object;
  now: Date;
}

/**
 * Runs `work` once per key, in the running transaction: a repeated key gets the first result without running it again, and
 * a concurrent one waits. Failed work leaves its key unused. The result is stored as JSON.
 * @throws PaymentError `conflict` for a key that was used with different content within a day, `invalid` for a malformed key
 */
export async function runOncePerKey<Answer extends object>(
  db: Database,
  { who, key, content, now }: IdempotencyKeyUse,
  work: () => Promise<Answer>,
): Promise<Answer> {
  if (!/^[\x21-\x7e]{1,255}$/.test(key))
    throw new PaymentError('invalid', 'An idempotency key is 1 to 255 printable characters');
  const fingerprint = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  const taken = await db
    .q()
    .insertInto('sandbox_keys')
    .values({ ...who, key, fingerprint, created_at: now })
    .onConflict((conflict) =>
      conflict
        .columns(['method', 'account', 'livemode', 'key'])
        .doUpdateSet({ fingerprint, answer: null, created_at: now })
        .where('sandbox_keys.created_at', '<=', new Date(now.getTime() - LIFETIME_MS)),
    )
    .executeTakeFirst();
  if (taken.numInsertedOrUpdatedRows === 0n) {
    const first = await db
      .q()
      .selectFrom('sandbox_keys')
      .select(['fingerprint', 'answer'])
      .where((each) => each.and({ ...who, key }))
      .executeTakeFirstOrThrow();
    if (first.fingerprint !== fingerprint)
      throw new PaymentError('conflict', 'This idempotency key was used for something else');
    return first.answer as Answer;
  }
  const answer = await work();
  await db
    .q()
    .updateTable('sandbox_keys')
    .set({ answer: JSON.stringify(answer) })
    .where((each) => each.and({ ...who, key }))
    .execute();
  return answer;
}
