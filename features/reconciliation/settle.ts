import type { Ctx } from '#platform/context.ts';
import type { Part } from './facts.ts';

/** A posting on clearing that is confirmed: by parts of a transaction, or by the break that explains it. */
export interface Settlement {
  /** null for a part that no posting confirms, as in a foreign currency */
  postingId: number | null;
  transactionId: string | null;
  parts: readonly Part[];
  breakId?: string;
}

/** Records what confirms what, in the current transaction; a part that is settled stays so. */
export async function settle(ctx: Ctx, settlements: readonly Settlement[]): Promise<void> {
  const matches = settlements.flatMap(({ postingId, transactionId, breakId }) =>
    postingId === null
      ? []
      : [
          {
            posting_id: postingId,
            provider_transaction_id: transactionId,
            break_id: breakId ?? null,
            matched_at: ctx.now(),
          },
        ],
  );
  for (let at = 0; at < matches.length; at += BATCH)
    await ctx.db
      .q()
      .insertInto('clearing_matches')
      .values(matches.slice(at, at + BATCH))
      .onConflict((conflict) => conflict.columns(['posting_id', 'provider_transaction_id']).doNothing())
      .execute();
  for (const part of ['amount', 'fee'] as const)
    await settleParts(
      ctx,
      settlements.filter(({ parts }) => parts.includes(part)).map(({ transactionId }) => transactionId),
      part,
    );
}

/** Rows per statement. */
const BATCH = 1_000;

async function settleParts(ctx: Ctx, ids: readonly (string | null)[], part: Part): Promise<void> {
  const own = ids.filter((id) => id !== null);
  const column = part === 'amount' ? 'amount_settled_at' : 'fee_settled_at';
  for (let at = 0; at < own.length; at += BATCH)
    await ctx.db
      .q()
      .updateTable('provider_transactions')
      .set({ [column]: ctx.now() })
      .where('id', 'in', own.slice(at, at + BATCH))
      .where(column, 'is', null)
      .execute();
}

/**
 * Takes the account's turn: nobody else matches or ends breaks of it until the current transaction ends. Postings go on
 * meanwhile.
 */
export async function lockAccount(ctx: Ctx, accountId: string): Promise<void> {
  await ctx.db
    .q()
    .selectFrom('provider_accounts')
    .select('id')
    .where('id', '=', accountId)
    .forNoKeyUpdate()
    .execute();
}
