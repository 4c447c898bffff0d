import { authorizedUser } from '#platform/access.ts';
import { requireFreshProof } from '#platform/auth/fresh-proof.ts';
import type { Ctx } from '#platform/context.ts';
import { isUuid } from '#platform/uuid.ts';
import { closeBreak } from '../close-break.ts';
import type { Difference, TransactionRow } from '../difference.ts';
import { breakToEnd } from '../end-break.ts';
import { type Booking, CURRENCY, type Part, partCents } from '../facts.ts';
import { openParts, openPostings } from '../load-statement.ts';
import { matchStatement } from '../matching.ts';
import type { BreakActionResult } from '../model.ts';
import { reasonFrom } from '../reason.ts';
import { mayEndBreaks } from '../rules.ts';
import { type Settlement, settle } from '../settle.ts';

/** What a break turns out to be about: postings of a sale, one posting, or for postings alone a transaction. */
export type LinkTarget = { saleId: string } | { postingId: number } | { transactionId: string };

/**
 * Ends a break by saying what it belongs to. Both sides must agree to the cent: nothing is posted.
 * @throws Unauthenticated, ProofRequired; Forbidden for everyone but administrators; NotFound
 */
export async function linkBreak(
  ctx: Ctx,
  { breakId, to, reason }: { breakId: string; to: LinkTarget; reason: string },
): Promise<BreakActionResult> {
  const user = authorizedUser(ctx, mayEndBreaks);
  requireFreshProof(ctx);
  const note = reasonFrom(reason);
  return ctx.db.tx(async (): Promise<BreakActionResult> => {
    const found = await breakToEnd(ctx, breakId);
    if (!found.ok) return found;
    if (note === null) return { ok: false, reason: 'no_reason' };
    const settlements = await settlementsFor(ctx, found.difference, to);
    if (settlements === null) return { ok: false, reason: 'nothing_fits' };
    await settle(
      ctx,
      settlements.map((settlement) => ({ ...settlement, breakId })),
    );
    const transactionId = settlements[0]?.transactionId ?? null;
    if ('saleId' in to)
      await ctx.db
        .q()
        .updateTable('provider_transactions')
        .set({ sale_id: to.saleId })
        .where('id', '=', transactionId)
        .execute();
    await closeBreak(ctx, { id: breakId, resolution: 'linked', note, by: user.id });
    return { ok: true };
  });
}

/** What confirms what, or null when the two sides do not agree. */
async function settlementsFor(
  ctx: Ctx,
  difference: Difference,
  to: LinkTarget,
): Promise<Settlement[] | null> {
  const { transaction, accountId, postingIds, foreign, suspended } = difference;
  if (foreign || suspended) return null;
  if ('transactionId' in to)
    return transaction ? null : postingsToTransaction(ctx, accountId, postingIds, to.transactionId);
  if (!transaction) return null;
  const booking = bookingOf(transaction);
  if ('postingId' in to) {
    const [posting] = Number.isSafeInteger(to.postingId)
      ? await openPostings(ctx, accountId, [to.postingId])
      : [];
    if (posting?.cents !== openCents(booking)) return null;
    return [{ postingId: posting.id, transactionId: booking.id, parts: booking.open }];
  }
  return isUuid(to.saleId) ? toSale(ctx, accountId, booking, to.saleId) : null;
}

/** The postings of a sale that confirm every open part, whatever references they bear. */
async function toSale(
  ctx: Ctx,
  accountId: string,
  booking: Booking,
  saleId: string,
): Promise<Settlement[] | null> {
  const postings = (await openPostings(ctx, accountId)).filter((posting) => posting.saleId === saleId);
  const { matches, bookings } = matchStatement({
    accountId,
    bookings: [{ ...booking, saleId }],
    postings: postings.map((posting) => ({ ...posting, ref: null })),
    sales: new Map(),
    breakRefunds: new Set(),
    now: ctx.now(),
  });
  if (bookings.length > 0) return null;
  return matches.map(({ postingId, parts }) => ({ postingId, parts, transactionId: booking.id }));
}

async function postingsToTransaction(
  ctx: Ctx,
  accountId: string,
  postingIds: readonly number[],
  transactionId: string,
): Promise<Settlement[] | null> {
  if (!isUuid(transactionId) || postingIds.length === 0) return null;
  const row = await ctx.db
    .q()
    .selectFrom('provider_transactions')
    .selectAll()
    .where('id', '=', transactionId)
    .where('provider_account_id', '=', accountId)
    .executeTakeFirst();
  if (!row || row.currency !== CURRENCY) return null;
  const booking = bookingOf(row);
  const postings = await openPostings(ctx, accountId, postingIds);
  const posted = postings.reduce((sum, { cents }) => sum + cents, 0);
  if (booking.open.length === 0 || posted !== openCents(booking)) return null;
  return postings.map(({ id }) => ({ postingId: id, transactionId, parts: booking.open }));
}

const openCents = (booking: Booking): number =>
  booking.open.reduce((sum: number, part: Part) => sum + partCents(booking, part), 0);

const bookingOf = (row: TransactionRow): Booking => ({
  id: row.id,
  kind: row.kind,
  amountCents: row.amount_cents,
  feeCents: row.fee_cents,
  currency: row.currency,
  refs: [],
  objectRef: null,
  saleId: row.sale_id,
  open: openParts(row),
  at: row.booked_at,
  dueFrom: row.booked_at,
});
