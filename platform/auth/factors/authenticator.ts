import type { Ctx } from '../../context.ts';
import { seal, unseal } from '../seal.ts';
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
  const secret = row && unseal(ctx.config, STORED, row.secret);
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
