import { postEntry } from '#features/ledger/commands/post-entry.ts';
import type { Account, Posting } from '#features/ledger/model.ts';
import { asSystem, type Ctx } from '#platform/context.ts';
import { type BreakRow, type Difference, differenceOf, lockBreak } from './difference.ts';
import type { BreakRefusal } from './model.ts';
import { postClearing } from './post-clearing.ts';
import { settle } from './settle.ts';

/** An open break that an administrator may end now, with what is left of it. */
export interface OpenBreak {
  row: BreakRow;
  difference: Difference;
}

/**
 * Locks a break for its end, in the current transaction; or says why it cannot be ended so.
 * @throws NotFound
 */
export async function breakToEnd(
  ctx: Ctx,
  breakId: string,
): Promise<({ ok: true } & OpenBreak) | { ok: false; reason: BreakRefusal }> {
  const row = await lockBreak(ctx, breakId);
  if (row.state === 'resolved') return { ok: false, reason: 'resolved' };
  if (row.state === 'awaiting_approval') return { ok: false, reason: 'awaiting_approval' };
  if (await refundRuns(ctx, breakId)) return { ok: false, reason: 'refund_running' };
  const difference = await differenceOf(ctx, row);
  return difference ? { ok: true, row, difference } : { ok: false, reason: 'elsewhere' };
}

/** Whether a refund of what the break is about is on its way. */
export async function refundRuns(ctx: Ctx, breakId: string): Promise<boolean> {
  const running = await ctx.db
    .q()
    .selectFrom('break_refunds')
    .select('id')
    .where('break_id', '=', breakId)
    .where('status', 'in', ['pending', 'sent'])
    .executeTakeFirst();
  return running !== undefined;
}

/**
 * Makes books and provider agree: what differs is posted against an account, and everything the break is about is settled. A
 * fee goes to the costs, whatever the account.
 */
export async function bookDifference(
  ctx: Ctx,
  { row, difference }: OpenBreak,
  { account, memo }: { account: Account; memo: string },
): Promise<void> {
  const { accountId, transaction, parts, postingIds, cents, suspended } = difference;
  const kind = account === 'suspense' ? 'L6' : account === 'bank' ? 'L8' : 'L9';
  if (suspended) {
    if (account !== 'suspense')
      await postEntry(asSystem(ctx, 'reconciliation'), {
        key: `break:${row.id}:${account}`,
        kind,
        saleId: null,
        memo,
        postings: [
          { account: 'suspense', cents },
          { account, cents: -cents },
        ],
      });
    return;
  }
  const transactionId = transaction?.id ?? null;
  await settle(
    ctx,
    postingIds.map((postingId) => ({ postingId, transactionId, parts, breakId: row.id })),
  );
  if (cents === 0) return settle(ctx, [{ postingId: null, transactionId, parts, breakId: row.id }]);
  await postClearing(ctx, {
    key: `break:${row.id}`,
    kind,
    accountId,
    // What nobody has assigned yet, or stands in another account, is no part of the sale's own books.
    saleId: account === 'suspense' ? null : await salePaidThrough(ctx, accountId, row.sale_id),
    memo,
    cents,
    counter: counterPostings(difference, account),
    confirmedBy: { transactionId, parts, breakId: row.id },
  });
}

/** The sale when it is paid through the account, else null: its payout may have left another one. */
async function salePaidThrough(ctx: Ctx, accountId: string, saleId: string | null): Promise<string | null> {
  const sale = await ctx.db
    .q()
    .selectFrom('property_sales')
    .select('id')
    .where('id', '=', saleId)
    .where('provider_account_id', '=', accountId)
    .executeTakeFirst();
  return sale?.id ?? null;
}

/** What stands against a change of clearing: the fee as a cost, the rest on the chosen account. */
function counterPostings(
  { cents, feeCents, postingIds, transaction }: Difference,
  account: Account,
): Posting[] {
  const costs: Account = transaction?.kind.startsWith('dispute') ? 'dispute_fees' : 'processing_cost';
  const apart = account === costs || account === 'write_offs' || postingIds.length > 0 ? 0 : feeCents;
  return [
    { account, cents: -cents - apart },
    { account: costs, cents: apart },
  ];
}
