import type { Account, EntryKind, Posting } from '#features/ledger/model.ts';
import type { Ctx } from '#platform/context.ts';
import { closeBreak } from './close-break.ts';
import { type Booking, partCents } from './facts.ts';
import { postClearing } from './post-clearing.ts';

/** The other account, and the kind of entry, of bookings that need no decision. */
const COUNTER: Partial<Record<Booking['kind'], { account: Account; entry: EntryKind; memo: string }>> = {
  bank_payout: { account: 'bank', entry: 'L8', memo: 'Paid out to our bank' },
  bank_payout_return: { account: 'bank', entry: 'L8', memo: 'Payout to our bank came back' },
  fee: { account: 'processing_cost', entry: 'L9', memo: 'Fee of the provider' },
  refund: { account: 'suspense', entry: 'L6', memo: 'Money of no sale sent back' },
};

/** Posts what the books follow without a further decision, each once. */
export async function followBookings(
  ctx: Ctx,
  accountId: string,
  bookings: readonly Booking[],
): Promise<void> {
  for (const booking of bookings) {
    const counter = COUNTER[booking.kind];
    if (!counter) continue;
    const net = booking.open.reduce((sum, part) => sum + partCents(booking, part), 0);
    const fee = booking.open.includes('fee') ? booking.feeCents : 0;
    const ended = booking.kind === 'refund' ? await refundedBreak(ctx, accountId, booking) : null;
    const counterPostings: Posting[] = [
      { account: counter.account, cents: -net - fee },
      { account: 'processing_cost', cents: fee },
    ];
    await postClearing(ctx, {
      key: `booked:${booking.id}`,
      kind: counter.entry,
      accountId,
      saleId: ended ? null : booking.saleId,
      memo: counter.memo,
      cents: net,
      counter: counter.account === 'processing_cost' ? merged(counterPostings) : counterPostings,
      confirmedBy: { transactionId: booking.id, parts: booking.open },
    });
    if (ended)
      await closeBreak(ctx, { id: ended.breakId, resolution: 'refunded', note: ended.reason, by: ended.by });
  }
}

const merged = (postings: readonly Posting[]): Posting[] => [
  { account: 'processing_cost', cents: postings.reduce((sum, { cents }) => sum + cents, 0) },
];

/** Marks the refund of a break as arrived. */
async function refundedBreak(ctx: Ctx, accountId: string, booking: Booking) {
  const refund = await ctx.db
    .q()
    .updateTable('break_refunds as r')
    .set({ status: 'arrived', settled_at: ctx.now() })
    .where('r.provider_account_id', '=', accountId)
    .where('r.provider_ref', 'in', [...booking.refs])
    .where('r.status', '=', 'sent')
    .returning(['r.break_id', 'r.reason', 'r.requested_by'])
    .executeTakeFirst();
  return refund ? { breakId: refund.break_id, reason: refund.reason, by: refund.requested_by } : null;
}
