import { sql } from 'kysely';
import type { PayoutMethod } from '#features/payouts/model.ts';
import { heldForSales } from '#features/payouts/sql.ts';
import type { ProviderBalance } from '#gateways/payments/port.ts';
import type { Ctx } from '#platform/context.ts';
import { DAY } from '#platform/durations.ts';
import { payableAt } from './load-plan.ts';
import { isPayable, methodOf, obstacleOf, owedForSale } from './sql.ts';

/** What an account has to pay for, in cents. */
interface TreasuryNeed {
  /** payouts by the account that are due within a day, or started and not sent, of sales that were paid into another one */
  dueCents: number;
  /** what it holds of sales that were paid into it, for their buyers and sellers */
  heldCents: number;
}

/** What an account has to pay for, and what of its balance is spoken for. */
export async function treasuryNeed(
  ctx: Ctx,
  { accountId, method, livemode }: { accountId: string; method: PayoutMethod; livemode: boolean },
): Promise<TreasuryNeed> {
  const { days, now } = await payableAt(ctx);
  const tomorrow = { days, now: new Date(now.getTime() + DAY) };
  const { rows } = await sql<{ due: number; started: number; held: number }>`select
    (select coalesce(sum(greatest(0, ${owedForSale})), 0)::bigint
      from property_sales s join agents a on a.id = s.agent_id
      where ${isPayable(tomorrow)} and ${obstacleOf} is null and ${methodOf} = ${method}
        and s.livemode = ${livemode} and s.provider_account_id is distinct from ${accountId}) as due,
    (select coalesce(sum(o.amount_cents), 0)::bigint from payouts o join property_sales s on s.id = o.sale_id
      where o.status = 'processing' and o.provider_account_id = ${accountId} and o.sent_at is null
        and s.provider_account_id is distinct from ${accountId}) as started,
    ${heldForSales(accountId, null)} as held`.execute(ctx.db.q());
  const { due = 0, started = 0, held = 0 } = rows[0] ?? {};
  return { dueCents: Number(due) + Number(started), heldCents: Number(held) };
}

/**
 * What is missing in an account for what it has to pay, in cents; 0 when nothing is. Money of sales that were paid into it does not
 * count: it belongs to them, available or not.
 */
export function missingCents(
  { availableCents, pendingCents }: ProviderBalance,
  { dueCents, heldCents }: TreasuryNeed,
): number {
  const freeCents = Math.max(0, Math.min(availableCents, availableCents + pendingCents - heldCents));
  return Math.max(0, dueCents - freeCents);
}
