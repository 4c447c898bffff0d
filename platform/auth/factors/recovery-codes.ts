import { createHash, randomBytes } from 'node:crypto';
import type { Ctx } from '../../context.ts';
import { RECOVERY_CODES } from './counts.ts';

// 32 of them, so that each stands for five bits.
const LETTERS = 'abcdefghijkmnopqrstuvwxyz2345679';
const LENGTH = 24;

/** A code with 120 bits, so that its plain hash can be stored: 'abcdef-ghijkm-…'. */
function newCode(): string {
  const letters = [...randomBytes(LENGTH)].map((byte) => LETTERS[byte % LETTERS.length]).join('');
  return (letters.match(/.{6}/g) ?? []).join('-');
}

const hashOf = (code: string) =>
  createHash('sha256')
    .update(code.toLowerCase().replace(/[^a-z0-9]/g, ''))
    .digest('base64url');

/** Replaces an account's recovery codes in the current transaction. @returns the new ones, which are shown once */
export async function replaceRecoveryCodes(ctx: Ctx, userId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newCode);
  const q = ctx.db.q();
  await q.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  await q
    .insertInto('recovery_codes')
    .values(codes.map((code) => ({ user_id: userId, code_hash: hashOf(code), created_at: ctx.now() })))
    .execute();
  return codes;
}

/** Uses up a recovery code in the current transaction; false for one that is unknown or used. */
export async function spendRecoveryCode(ctx: Ctx, userId: string, typed: string): Promise<boolean> {
  const { numUpdatedRows } = await ctx.db
    .q()
    .updateTable('recovery_codes')
    .set({ used_at: ctx.now() })
    .where('user_id', '=', userId)
    .where('code_hash', '=', hashOf(typed))
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
