import type { Selectable } from 'kysely';
import { lockSale } from '#features/sales/sale-row.ts';
import type { Ctx } from '#platform/context.ts';
import type { DB } from '#platform/db/schema.gen.ts';
import { NotFound } from '#platform/errors.ts';
import { isUuid } from '#platform/uuid.ts';
import { CURRENCY, type Part, partCents } from './facts.ts';
import { openParts, openPostings } from './load-statement.ts';
import type { BreakKind } from './model.ts';
import { lockAccount } from './settle.ts';

export type BreakRow = Selectable<DB['breaks']> & { kind: BreakKind };

/** A transaction of a provider, as stored. */
export type TransactionRow = Selectable<DB['provider_transactions']>;

/**
 * A break, and its account, locked until the end of the current transaction.
 * @throws NotFound
 */
export async function lockBreak(ctx: Ctx, breakId: string): Promise<BreakRow> {
  const found = await findBreak(ctx, breakId);
  // The account first, as reconciling does, then the sale, as everything that moves it does.
  if (found.provider_account_id !== null) await lockAccount(ctx, found.provider_account_id);
  if (found.sale_id !== null) await lockSale(ctx, found.sale_id);
  return (await rowOf(ctx, breakId).forUpdate().executeTakeFirstOrThrow()) as BreakRow;
}

const rowOf = (ctx: Ctx, breakId: string) =>
  ctx.db.q().selectFrom('breaks').selectAll().where('id', '=', breakId);

/**
 * A break as it is now.
 * @throws NotFound
 */
export async function findBreak(ctx: Ctx, breakId: string): Promise<BreakRow> {
  const found = isUuid(breakId) ? await rowOf(ctx, breakId).executeTakeFirst() : undefined;
  if (!found) throw new NotFound('Break not found');
  return found as BreakRow;
}

/** What of a break is not settled, and by how much the books have to change to agree; integer cents. */
export interface Difference {
  accountId: string;
  transaction: TransactionRow | null;
  parts: Part[];
  /** open postings that it is about */
  postingIds: number[];
  /** to add to clearing; 0 in a foreign currency, which the books do not know */
  cents: number;
  /** of that, what the provider charged: negative when it gave a fee back */
  feeCents: number;
  foreign: boolean;
  /** what it is about in the foreign currency, in cents of that; 0 in ours */
  foreignCents: number;
  /** the money stands in suspense already, because a refund of it was asked for */
  suspended: boolean;
}

/** What is left of a break to settle; null for one that other operations end, or that names no account. */
export async function differenceOf(ctx: Ctx, row: BreakRow): Promise<Difference | null> {
  const accountId = row.provider_account_id;
  if (accountId === null) return null;
  const nothing = {
    accountId,
    transaction: null,
    parts: [],
    postingIds: [],
    feeCents: 0,
    foreign: false,
    foreignCents: 0,
    suspended: false,
  };
  const stated = (row.actual_cents ?? 0) - (row.expected_cents ?? 0);
  if (await isForeignRestated(ctx, row)) return { ...nothing, cents: 0, foreign: true, foreignCents: stated };
  if (row.kind === 'balance_difference' || row.kind === 'transaction_restated')
    return { ...nothing, cents: stated };
  const postings = row.posting_ids.length === 0 ? [] : await openPostings(ctx, accountId, row.posting_ids);
  const posted = postings.reduce((sum, { cents }) => sum + cents, 0);
  const postingIds = postings.map(({ id }) => id);
  if (row.provider_transaction_id === null)
    return row.posting_ids.length === 0 ? null : { ...nothing, postingIds, cents: -posted };
  const transaction = await ctx.db
    .q()
    .selectFrom('provider_transactions')
    .selectAll()
    .where('id', '=', row.provider_transaction_id)
    .executeTakeFirstOrThrow();
  const parts = openParts(transaction);
  const suspended = await isSuspended(ctx, row.id);
  const facts = { amountCents: transaction.amount_cents, feeCents: transaction.fee_cents };
  const foreign = transaction.currency !== CURRENCY;
  const foreignCents = foreign ? transaction.amount_cents - transaction.fee_cents : 0;
  if (suspended)
    return { ...nothing, transaction, foreign, foreignCents, suspended, cents: transaction.amount_cents };
  if (parts.length === 0 && postingIds.length === 0) return null;
  const booked = parts.reduce((sum, part) => sum + partCents(facts, part), 0);
  return {
    accountId,
    transaction,
    parts,
    postingIds,
    cents: foreign ? 0 : booked - posted,
    feeCents: parts.includes('fee') && !foreign ? transaction.fee_cents : 0,
    foreign,
    foreignCents,
    suspended,
  };
}

/** Whether a break says that a transaction in a foreign currency was restated. */
async function isForeignRestated(ctx: Ctx, { kind, evidence }: BreakRow): Promise<boolean> {
  if (kind !== 'transaction_restated') return false;
  const { transaction } = evidence as { transaction: string };
  const foreign = await ctx.db
    .q()
    .selectFrom('provider_transactions')
    .select('id')
    .where('id', '=', transaction)
    .where('currency', '<>', CURRENCY)
    .executeTakeFirst();
  return foreign !== undefined;
}

async function isSuspended(ctx: Ctx, breakId: string): Promise<boolean> {
  const refund = await ctx.db
    .q()
    .selectFrom('break_refunds')
    .select('id')
    .where('break_id', '=', breakId)
    .executeTakeFirst();
  return refund !== undefined;
}
