import { sql } from 'kysely';
import { PaymentError, type ProviderBalance } from '#gateways/payments/port.ts';
import type { PayoutsPort } from '#gateways/payouts/port.ts';
import type { Ctx } from '#platform/context.ts';
import { MINUTE } from '#platform/durations.ts';
import { heldForSales } from './sql.ts';

/** How old a balance may be that decides whether a payout fits. */
const FRESH_MS = MINUTE;

export interface TreasuryPosition extends ProviderBalance {
  askedAt: Date;
}

/**
 * What an account can pay, as its provider said within the last minute; asked anew otherwise. Null while the provider does not
 * answer. Must not be called inside a transaction.
 */
export async function treasuryPosition(
  ctx: Ctx,
  { port, accountId, freshMs = FRESH_MS }: { port: PayoutsPort; accountId: string; freshMs?: number },
): Promise<TreasuryPosition | null> {
  const known = await ctx.db
    .q()
    .selectFrom('treasury_positions')
    .selectAll()
    .where('provider_account_id', '=', accountId)
    .where('asked_at', '>', new Date(ctx.now().getTime() - freshMs))
    .executeTakeFirst();
  if (known)
    return {
      availableCents: known.available_cents,
      pendingCents: known.pending_cents,
      askedAt: known.asked_at,
    };
  const askedAt = ctx.now();
  try {
    const balance = await port.balance();
    const values = {
      available_cents: balance.availableCents,
      pending_cents: balance.pendingCents,
      asked_at: askedAt,
    };
    await ctx.db
      .q()
      .insertInto('treasury_positions')
      .values({ provider_account_id: accountId, ...values })
      .onConflict((conflict) => conflict.column('provider_account_id').doUpdateSet(values))
      .execute();
    return { ...balance, askedAt };
  } catch (error) {
    if (!(error instanceof PaymentError)) throw error;
    ctx.log.warn({ err: error, provider: port.provider }, 'a provider did not say what it holds');
    return null;
  }
}

/**
 * Whether a payout fits into what an account can pay, less what was promised since and what belongs to other sales. Payments of the
 * sale itself fund it also while they are not available yet. Runs in the transaction that starts it, and lets those of other sellers
 * wait until it ends, so that they see what it takes.
 */
export async function fitsBalance(
  ctx: Ctx,
  {
    position,
    accountId,
    saleId,
    amountCents,
    sourceCents,
  }: {
    position: TreasuryPosition | null;
    accountId: string;
    saleId: string;
    amountCents: number;
    /** what is left of the payments that fund it */
    sourceCents: number;
  },
): Promise<boolean> {
  if (!position || amountCents <= sourceCents) return true;
  // Payments into the account, which refer to it, need not wait.
  await ctx.db
    .q()
    .selectFrom('provider_accounts')
    .select('id')
    .where('id', '=', accountId)
    .forNoKeyUpdate()
    .execute();
  const { rows } = await sql<{ held: number }>`select ${heldForSales(accountId, saleId)} as held`.execute(
    ctx.db.q(),
  );
  const heldCents = Number(rows[0]?.held ?? 0);
  const { promised, ofOtherMoney } = await promisedSince(ctx, { accountId, askedAt: position.askedAt });
  const { availableCents, pendingCents } = position;
  const freeCents = availableCents + pendingCents - ofOtherMoney - heldCents - sourceCents;
  return amountCents - sourceCents <= Math.min(availableCents - promised, freeCents);
}

/**
 * Payouts that a balance did not know of when it was asked for, in cents: all, and those that `heldForSales` does not count either.
 */
async function promisedSince(
  ctx: Ctx,
  { accountId, askedAt }: { accountId: string; askedAt: Date },
): Promise<{ promised: number; ofOtherMoney: number }> {
  const { rows } = await sql<{ promised: number; held: number }>`
    select coalesce(sum(o.amount_cents), 0)::bigint as promised,
      coalesce(sum(o.amount_cents) filter (where o.sent_at is null and s.provider_account_id = ${accountId}), 0)::bigint as held
    from payouts o join property_sales s on s.id = o.sale_id
    where o.provider_account_id = ${accountId}
      and (o.status = 'processing' and o.sent_at is null
        or o.status in ('processing', 'completed') and o.sent_at > ${askedAt})`.execute(ctx.db.q());
  const { promised = 0, held = 0 } = rows[0] ?? {};
  return { promised: Number(promised), ofOtherMoney: Number(promised) - Number(held) };
}
