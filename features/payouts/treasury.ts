import { sql } from 'kysely';
import { PaymentError, type ProviderBalance } from '#gateways/payments/port.ts';
import type { PayoutsPort } from '#gateways/payouts/port.ts';
import type { Ctx } from '#platform/context.ts';
import { MINUTE } from '#platform/durations.ts';

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
 * Whether a payout fits into what an account can pay, less what was promised since. Payments of the sale itself fund it also while
 * they are not available yet. Runs in the transaction that starts it.
 */
export async function fitsBalance(
  ctx: Ctx,
  {
    position,
    accountId,
    amountCents,
    sourceCents,
  }: {
    position: TreasuryPosition | null;
    accountId: string;
    amountCents: number;
    /** what is left of the payments that fund it */
    sourceCents: number;
  },
): Promise<boolean> {
  if (!position || amountCents <= sourceCents) return true;
  const { promised } = await ctx.db
    .q()
    .selectFrom('payouts')
    .select(sql<number>`coalesce(sum(amount_cents), 0)::bigint`.as('promised'))
    .where('status', '=', 'processing')
    .where('provider_account_id', '=', accountId)
    .where((where) => where.or([where('sent_at', 'is', null), where('sent_at', '>', position.askedAt)]))
    .executeTakeFirstOrThrow();
  return amountCents - sourceCents <= position.availableCents - Number(promised);
}
