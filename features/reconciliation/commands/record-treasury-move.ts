import { postEntry } from '#features/ledger/commands/post-entry.ts';
import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { requireFreshProof } from '#platform/auth/fresh-proof.ts';
import { asSystem, type Ctx } from '#platform/context.ts';
import { isUuid } from '#platform/uuid.ts';
import { closeBreak } from '../close-break.ts';
import type { TransactionRow } from '../difference.ts';
import { CURRENCY, partCents } from '../facts.ts';
import { openParts } from '../load-statement.ts';
import type { BreakActionResult } from '../model.ts';
import { postClearing } from '../post-clearing.ts';
import { reasonFrom } from '../reason.ts';
import { mayEndBreaks } from '../rules.ts';
import { lockAccount } from '../settle.ts';

interface TreasuryMoveInput {
  /** the transaction by which the money left one account; null when it is recorded already */
  sentId: string | null;
  /** the transaction by which it arrived on another one; null while it has not */
  receivedId: string | null;
  reason: string;
}

/**
 * Records a move of our own money between two provider accounts, both legs at once or one after the other; in between it stands
 * in `treasury_in_transit`. Fees of a leg go to the costs. Breaks about the transactions end. The same leg again changes
 * nothing.
 * @throws Unauthenticated, ProofRequired; Forbidden for everyone but administrators
 */
export async function recordTreasuryMove(
  ctx: Ctx,
  { sentId, receivedId, reason }: TreasuryMoveInput,
): Promise<BreakActionResult> {
  const user = authorizedUser(ctx, mayEndBreaks);
  requireFreshProof(ctx);
  const note = reasonFrom(reason);
  if (note === null) return { ok: false, reason: 'no_reason' };
  return ctx.db.tx(async (): Promise<BreakActionResult> => {
    const read = async () => ({
      sent: await legOf(ctx, sentId, -1),
      received: await legOf(ctx, receivedId, 1),
    });
    const { sent, received } = await read();
    const given = [sent, received].filter((leg) => leg !== null);
    if (given.length === 0 || given.includes(undefined)) return { ok: false, reason: 'no_transaction' };
    if (sent && received && sent.amount_cents !== -received.amount_cents)
      return { ok: false, reason: 'amounts_differ' };
    // In the order of their ids, so that two administrators cannot wait for each other.
    const accounts = new Set(given.map((leg) => leg?.provider_account_id).filter((id) => id !== undefined));
    for (const id of [...accounts].sort()) await lockAccount(ctx, id);
    const locked = await read();
    const legs = [locked.sent, locked.received].filter((leg) => leg !== null && leg !== undefined);
    for (const leg of legs)
      if (
        !openParts(leg).includes('amount') &&
        !(await wasPosted(ctx, `booked:${leg.id}`, `treasury:${leg.id}`))
      )
        return { ok: false, reason: 'no_transaction' };
    for (const leg of legs)
      if (!(await wasPosted(ctx, `treasury:${leg.id}`))) await bookLeg(ctx, leg, note, user.id);
    return { ok: true };
  });
}

/** The transaction of a leg, null for none given, undefined for one that does not exist or goes the other way. */
async function legOf(
  ctx: Ctx,
  id: string | null,
  direction: 1 | -1,
): Promise<TransactionRow | null | undefined> {
  if (id === null) return null;
  if (!isUuid(id)) return undefined;
  return ctx.db
    .q()
    .selectFrom('provider_transactions')
    .selectAll()
    .where('id', '=', id)
    .where('currency', '=', CURRENCY)
    .where('kind', 'in', ['bank_payout', 'bank_payout_return', 'transfer', 'transfer_return', 'adjustment'])
    .where('amount_cents', direction === 1 ? '>' : '<', 0)
    .executeTakeFirst();
}

async function bookLeg(ctx: Ctx, leg: TransactionRow, note: string, by: string): Promise<void> {
  const { id, amount_cents: amountCents, fee_cents: feeCents, provider_account_id: accountId } = leg;
  const parts = openParts(leg);
  if (parts.includes('amount')) {
    const fee = parts.includes('fee') ? feeCents : 0;
    await postClearing(ctx, {
      key: `treasury:${id}`,
      kind: 'L8',
      accountId,
      saleId: null,
      memo: note,
      cents: parts.reduce((sum, part) => sum + partCents({ amountCents, feeCents }, part), 0),
      counter: [
        { account: 'treasury_in_transit', cents: -amountCents },
        { account: 'processing_cost', cents: fee },
      ],
      confirmedBy: { transactionId: id, parts },
    });
  }
  // It was taken for a payout to our bank.
  else
    await postEntry(asSystem(ctx, 'reconciliation'), {
      key: `treasury:${id}`,
      kind: 'L8',
      saleId: null,
      memo: note,
      postings: [
        { account: 'treasury_in_transit', cents: -amountCents },
        { account: 'bank', cents: amountCents },
      ],
    });
  await audit(ctx, {
    action: 'treasury.record',
    entity: 'provider_transaction',
    entityId: id,
    after: { amountCents, reason: note },
  });
  const breaks = await ctx.db
    .q()
    .selectFrom('breaks')
    .select('id')
    .where('provider_transaction_id', '=', id)
    .where('state', '<>', 'resolved')
    .execute();
  for (const one of breaks) await closeBreak(ctx, { id: one.id, resolution: 'treasury', note, by });
}

async function wasPosted(ctx: Ctx, ...keys: string[]): Promise<boolean> {
  const entry = await ctx.db
    .q()
    .selectFrom('ledger_entries')
    .select('id')
    .where('idempotency_key', 'in', keys)
    .executeTakeFirst();
  return entry !== undefined;
}
