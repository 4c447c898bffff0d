import { balancesOf } from '#features/ledger/balances.ts';
import { loadBooks } from '#features/sales/load-books.ts';
import { pendingParts } from '#features/sales/sale-books.ts';
import type { Ctx } from '#platform/context.ts';
import type { BreakRow } from './difference.ts';

/** A break about a fact that is in the books already: nothing is left to post, somebody has to have seen it. */
export interface Acknowledging {
  /** what it is about; the whole payment where the break names no amount. Cents */
  cents: number;
  /** money of its sale that was never assigned to anything and is not on its way back; it goes back first. Cents */
  suspenseCents: number;
  /** such money is on its way back */
  refundRuns: boolean;
}

/** Kinds of breaks that tell of what is posted, or that a sale could not follow it. */
const ACKNOWLEDGED: readonly BreakRow['kind'][] = ['paid_back_twice', 'refused_move'];

/** What an acknowledgement of a break is about; null for a break that ends otherwise. */
export async function acknowledgingOf(ctx: Ctx, row: BreakRow): Promise<Acknowledging | null> {
  if (!ACKNOWLEDGED.includes(row.kind) || row.sale_id === null) return null;
  const { entries, refunds } = await loadBooks(ctx, row.sale_id);
  const pendingCents = pendingParts(refunds).suspenseCents;
  const { expected_cents: expected, actual_cents: actual } = row;
  const { total_cents } = await ctx.db
    .q()
    .selectFrom('property_sales')
    .select('total_cents')
    .where('id', '=', row.sale_id)
    .executeTakeFirstOrThrow();
  return {
    cents: expected === null || actual === null ? total_cents : Math.abs(actual - expected),
    suspenseCents: Math.max(0, balancesOf(entries).suspenseCents - pendingCents),
    refundRuns: pendingCents > 0,
  };
}
