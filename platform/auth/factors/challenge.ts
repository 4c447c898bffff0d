import { createHash } from 'node:crypto';
import type { Ctx } from '../../context.ts';
import { MINUTE } from '../../durations.ts';
import { seal, unseal } from '../seal.ts';

/** What a passkey is asked for. */
export type ChallengePurpose = 'add' | 'prove' | 'sign-in';

const LIFETIME_MS = 30 * MINUTE;

interface Challenge {
  purpose: ChallengePurpose;
  /** the user who is asked; null when whoever answers is signed in */
  userId: string | null;
  /** milliseconds since 1970 */
  at: number;
}

/** A challenge that can be answered once within half an hour. Making one writes nothing; who answers must have asked. */
export const newChallenge = (ctx: Ctx, purpose: ChallengePurpose, userId: string | null): string => {
  const challenge: Challenge = { purpose, userId, at: ctx.now().getTime() };
  return seal(ctx.config, 'passkey challenge', JSON.stringify(challenge));
};

/** Uses up a challenge in the current transaction; false unless it is ours, for this purpose and user, recent and unanswered. */
export async function spendChallenge(
  ctx: Ctx,
  challenge: string,
  purpose: ChallengePurpose,
  userId: string | null,
): Promise<boolean> {
  const text = unseal(ctx.config, 'passkey challenge', challenge);
  if (text === null) return false;
  const made = JSON.parse(text) as Challenge;
  const expiresAt = new Date(made.at + LIFETIME_MS);
  if (made.purpose !== purpose || made.userId !== userId || expiresAt <= ctx.now()) return false;
  const q = ctx.db.q();
  await q.deleteFrom('spent_challenges').where('expires_at', '<', ctx.now()).execute();
  const challenge_hash = createHash('sha256').update(challenge).digest('base64url');
  const spent = await q
    .insertInto('spent_challenges')
    .values({ challenge_hash, expires_at: expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return spent.numInsertedOrUpdatedRows === 1n;
}
