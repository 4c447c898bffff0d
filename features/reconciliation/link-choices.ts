import { sql } from 'kysely';
import type { Ctx } from '#platform/context.ts';
import { treasuryKinds } from './break-actions.ts';
import type { Difference, TransactionRow } from './difference.ts';
import { CURRENCY, partCents } from './facts.ts';
import { openParts } from './load-statement.ts';
import { type BreakChoice, transactionLabels } from './views.ts';

/** Suggestions for one decision. */
const MOST = 10;

/** What a break may turn out to be about: what is open on the other side of its account, of the same amount, the nearest in time first. */
export async function linkChoices(ctx: Ctx, difference: Difference): Promise<BreakChoice[]> {
  const { transaction, accountId, postingIds, cents } = difference;
  if (!transaction) return postingIds.length === 0 ? [] : openTransactions(ctx, accountId, -cents);
  const amounts = { amountCents: transaction.amount_cents, feeCents: transaction.fee_cents };
  const open = openParts(transaction).reduce((sum, part) => sum + partCents(amounts, part), 0);
  const rows = await ctx.db
    .q()
    .selectFrom('ledger_postings as p')
    .innerJoin('ledger_entries as e', 'e.id', 'p.entry_id')
    .leftJoin('property_sales as s', 's.id', 'e.sale_id')
    .leftJoin('properties as h', 'h.id', 's.property_id')
    .select(['p.id', 'e.memo', 'e.created_at', 'h.address'])
    .where('p.provider_account_id', '=', accountId)
    .where('p.amount_cents', '=', open)
    .where((where) =>
      where.not(
        where.exists(
          where.selectFrom('clearing_matches as m').select('m.id').whereRef('m.posting_id', '=', 'p.id'),
        ),
      ),
    )
    .orderBy(sql`abs(extract(epoch from e.created_at - ${transaction.booked_at}::timestamptz))`)
    .limit(MOST)
    .execute();
  return rows.map(({ id, memo, created_at, address }) => ({
    value: `posting:${id}`,
    label: address ? `${memo}, ${address}` : memo,
    at: created_at.toISOString(),
  }));
}

/** Transactions of an account by which so many cents, after fees, were booked and that nothing explains. */
async function openTransactions(ctx: Ctx, accountId: string, cents: number): Promise<BreakChoice[]> {
  const rows = await ctx.db
    .q()
    .selectFrom('provider_transactions')
    .select(['id', 'ref', 'kind', 'booked_at'])
    .where('provider_account_id', '=', accountId)
    .where('currency', '=', CURRENCY)
    .where('amount_settled_at', 'is', null)
    .where(sql`amount_cents - fee_cents`, '=', cents)
    .orderBy('booked_at', 'desc')
    .limit(MOST)
    .execute();
  return rows.map(choiceOf);
}

/** What may be the other leg of a move of our own money: the same amount the other way, on another account. */
export async function counterpartsOf(ctx: Ctx, transaction: TransactionRow): Promise<BreakChoice[]> {
  const rows = await ctx.db
    .q()
    .selectFrom('provider_transactions')
    .select(['id', 'ref', 'kind', 'booked_at'])
    .where('provider_account_id', '<>', transaction.provider_account_id)
    .where('currency', '=', CURRENCY)
    .where('kind', 'in', treasuryKinds)
    .where('amount_cents', '=', -transaction.amount_cents)
    .where('amount_settled_at', 'is', null)
    .orderBy('booked_at', 'desc')
    .limit(MOST)
    .execute();
  return rows.map(choiceOf);
}

const choiceOf = ({
  id,
  ref,
  kind,
  booked_at,
}: Pick<TransactionRow, 'id' | 'ref' | 'kind' | 'booked_at'>): BreakChoice => ({
  value: `transaction:${id}`,
  label: `${transactionLabels[kind]}, ${ref}`,
  at: booked_at.toISOString(),
});
