import type { Ctx } from '../../context.ts';
import { seal, unseal, unsealStored } from '../seal.ts';
import { matchingStep } from './totp.ts';

const STORED = 'authenticator';

/** The secret as it is stored. */
export const storedSecret = (ctx: Ctx, secret: string): string => seal(ctx.config, STORED, secret);

/** Uses up a code of a user's authenticator app in the current transaction; false for a wrong code and for a used one. */
export async function spendCode(ctx: Ctx, userId: string, typed: string): Promise<boolean> {
  const row = await ctx.db
    .q()
    .selectFrom('authenticators')
    .select(['secret', 'last_step'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
  const secret = row && unsealStored(ctx.config, STORED, row.secret);
  if (!row || !secret) return false;
  const step = matchingStep(secret, typed, ctx.now(), Number(row.last_step));
  if (step === null) return false;
  const { numUpdatedRows } = await ctx.db
    .q()
    .updateTable('authenticators')
    .set({ last_step: step, last_used_at: ctx.now() })
    .where('user_id', '=', userId)
    .where('last_step', '<', step)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/**
 * Seals the secrets of all authenticator apps with the present secret of the server, in the current transaction.
 * @returns how many were sealed anew, and the users of those that no configured secret opens
 */
export async function resealAuthenticators({
  db,
  config,
}: Ctx): Promise<{ resealed: number; unreadable: string[] }> {
  const rows = await db
    .q()
    .selectFrom('authenticators')
    .select(['user_id', 'secret'])
    .orderBy('user_id')
    .forUpdate()
    .execute();
  const former = rows.filter(({ secret }) => unseal(config, STORED, secret) === null);
  const unreadable: string[] = [];
  for (const { user_id: userId, secret: sealed } of former) {
    const secret = unsealStored(config, STORED, sealed);
    if (secret === null) {
      unreadable.push(userId);
      continue;
    }
    await db
      .q()
      .updateTable('authenticators')
      .set({ secret: seal(config, STORED, secret) })
      .where('user_id', '=', userId)
      .execute();
  }
  return { resealed: former.length - unreadable.length, unreadable };
}
