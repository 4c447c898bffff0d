import { sql } from 'kysely';
import type { Ctx } from '#platform/context.ts';
import { walletAddress } from './address.ts';

/**
 * The wallet that is named as a token's recipient, as EIP-55 writes it; null for what is none. A token that a contract of ours is given is
 * lost, whichever network it was deployed on: the token may wait for any.
 */
export async function recipientWallet(ctx: Pick<Ctx, 'db'>, typed: string): Promise<`0x${string}` | null> {
  const wallet = walletAddress(typed);
  if (wallet === null) return null;
  const ours = await ctx.db
    .q()
    .selectFrom('chain_transactions')
    .select('id')
    .where('kind', '=', 'deploy')
    .where(sql<string>`lower(contract)`, '=', wallet.toLowerCase())
    .limit(1)
    .executeTakeFirst();
  return ours ? null : wallet;
}
