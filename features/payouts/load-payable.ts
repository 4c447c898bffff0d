import { type SqlBool, sql } from 'kysely';
import { contestedSales } from '#features/sales/sql.ts';
import type { Ctx } from '#platform/context.ts';
import type { PayableSale, PayableSeller } from './payout-decision.ts';

export interface LoadedPayable {
  /** `rightMode` is left to whoever knows the provider */
  facts: Omit<PayableSale, 'rightMode'>;
  livemode: boolean;
  agentId: string;
  sellerName: string | null;
  /** what is owed to the seller for the sale and not on its way, before what the seller owes; cents */
  payableCents: number;
}

/** What decides about the payout of a sale, as it is now; undefined for an unknown sale. */
export async function loadPayable(ctx: Ctx, saleId: string): Promise<LoadedPayable | undefined> {
  return (await loadPayables(ctx, [saleId])).get(saleId);
}

/** What decides about the payouts of some sales, by sale. */
export async function loadPayables(
  ctx: Ctx,
  saleIds: readonly string[],
): Promise<Map<string, LoadedPayable>> {
  if (saleIds.length === 0) return new Map();
  const rows = await ctx.db
    .q()
    .selectFrom('property_sales as s')
    .leftJoin('agents as a', 'a.id', 's.agent_id')
    .select([
      's.escrow_status',
      's.payout_status',
      's.released_at',
      's.paid_with',
      's.frozen_at',
      's.livemode',
    ])
    .select(['s.id', 's.agent_id', 'a.id as seller_id', 'a.name', 'a.status', 'a.preferred_payout_method'])
    .select(['a.stripe_account_id', 'a.stripe_transfers_active', 'a.paypal_email', 'a.paypal_confirmed_at'])
    .select(['a.payout_hold_until', 'a.archived_at'])
    .select(({ exists, selectFrom }) => [
      sql<boolean>`s.id in (${contestedSales})`.as('disputed'),
      exists(
        selectFrom('refunds as r')
          .select('r.id')
          .whereRef('r.sale_id', '=', 's.id')
          .where('r.status', '=', 'pending'),
      ).as('refund_running'),
      selectFrom('ledger_entries as e')
        .innerJoin('ledger_postings as p', 'p.entry_id', 'e.id')
        .select((sum) => sum.fn.sum<number>('p.amount_cents').as('cents'))
        .whereRef('e.sale_id', '=', 's.id')
        .where('p.account', '=', 'seller_payable')
        .as('payable'),
    ])
    .where('s.id', 'in', saleIds)
    .execute();
  return new Map(rows.map((row) => [row.id, payableOf(row)]));
}

interface PayableRow {
  escrow_status: PayableSale['escrow'];
  payout_status: PayableSale['payout'];
  released_at: Date | null;
  paid_with: PayableSale['paidWith'];
  frozen_at: Date | null;
  livemode: boolean;
  agent_id: string;
  seller_id: string | null;
  name: string | null;
  status: 'active' | 'suspended' | null;
  preferred_payout_method: PayableSeller['method'];
  stripe_account_id: string | null;
  stripe_transfers_active: boolean | null;
  paypal_email: string | null;
  paypal_confirmed_at: Date | null;
  payout_hold_until: Date | null;
  archived_at: Date | null;
  disputed: boolean;
  refund_running: SqlBool;
  payable: number | null;
}

function payableOf(row: PayableRow): LoadedPayable {
  return {
    facts: {
      escrow: row.escrow_status,
      payout: row.payout_status,
      releasedAt: row.released_at,
      paidWith: row.paid_with,
      frozen: row.frozen_at !== null,
      disputed: row.disputed,
      refundRunning: row.refund_running === true,
      seller:
        row.seller_id === null
          ? null
          : {
              archived: row.archived_at !== null,
              suspended: row.status === 'suspended',
              method: row.archived_at === null ? row.preferred_payout_method : null,
              stripeAccount: row.stripe_account_id,
              transfersActive: row.stripe_transfers_active === true,
              paypalEmail: row.paypal_email,
              paypalConfirmed: row.paypal_confirmed_at !== null,
              holdUntil: row.payout_hold_until,
            },
    },
    livemode: row.livemode,
    agentId: row.agent_id,
    sellerName: row.name,
    payableCents: 0 - Number(row.payable ?? 0),
  };
}
