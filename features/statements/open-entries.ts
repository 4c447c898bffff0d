import { sql } from 'kysely';
import type { EntryKind } from '#features/ledger/model.ts';
import { townLine } from '#features/listings/display.ts';
import { payoutReference } from '#features/payouts/sql.ts';
import { isMoney } from '#features/sales/sql.ts';
import type { Config } from '#platform/config.ts';
import type { Ctx } from '#platform/context.ts';
import type { SellerEntry } from './model.ts';

interface Row {
  id: number;
  kind: EntryKind;
  at: Date;
  sale_id: string;
  address: string;
  city: string;
  state: string;
  zip: string;
  payable: number;
  receivable: number;
  released: number;
  base_price: number;
  share: number;
  /** of a payout: its state, and what is known of it */
  payout: 'processing' | 'completed' | 'failed' | null;
  reference: string | null;
  arrives_at: Date | null;
  settled_at: Date | null;
}

/**
 * Of a ledger entry `e` of a sale: it concerns the seller, and stands on no statement yet. A release does even where fees have
 * used up the share.
 */
export const isOpenEntry = sql<boolean>`not exists (select from seller_statement_entries x where x.entry_id = e.id)
  and (e.kind = 'L2' or exists (select from ledger_postings p where p.entry_id = e.id
    and p.account in ('seller_payable', 'seller_receivable')))`;

/**
 * Of a sale `s`: its entries stand on statements. Those of test money do not, but for a sale that has begun on one that is closed:
 * else what it owes there would stay owed.
 */
export const isStated = (config: Pick<Config, 'sandboxPayments'>) => sql<boolean>`(${isMoney(config)}
  or exists (select from seller_statement_entries x join ledger_entries o on o.id = x.entry_id where o.sale_id = s.id))`;

/** The seller's entries that stand on no closed statement, oldest first: all, or those before a moment. */
export async function openEntries(
  ctx: Ctx,
  { agentId, until }: { agentId: string; until: Date | null },
): Promise<SellerEntry[]> {
  const { rows } = await sql<Row>`
    select e.id, e.kind, e.created_at as at, s.id as sale_id, l.address, l.city, l.state, l.zip,
      b.payable, b.receivable, b.released, s.sale_price_cents as base_price, s.agent_commission_cents as share,
      p.status as payout, ${payoutReference} as reference, p.arrives_at, p.settled_at
    from property_sales s
    join ledger_entries e on e.sale_id = s.id
    join properties l on l.id = s.property_id
    cross join lateral (select
        -coalesce(sum(p.amount_cents) filter (where p.account = 'seller_payable'), 0)::bigint as payable,
        -coalesce(sum(p.amount_cents) filter (where p.account = 'seller_receivable'), 0)::bigint as receivable,
        coalesce(sum(p.amount_cents) filter (where p.account = 'escrow_held'), 0)::bigint as released
      from ledger_postings p where p.entry_id = e.id) b
    left join payouts p on e.kind = 'L3' and b.payable < 0 and p.sale_id = s.id
      and p.attempt = coalesce(substring(e.idempotency_key from '^payout-reserved:([0-9]+):')::integer, 1)
    where s.agent_id = ${agentId} and ${until ? sql`e.created_at < ${until}` : sql`true`} and ${isOpenEntry}
      and ${isStated(ctx.config)}
    order by e.created_at, e.id`.execute(ctx.db.q());
  const fees = await feesOf(
    ctx,
    rows.filter(({ kind }) => kind === 'L2').map(({ sale_id }) => sale_id),
  );
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    at: row.at,
    saleId: row.sale_id,
    address: row.address,
    town: townLine(row),
    payableCents: row.payable,
    receivableCents: row.receivable,
    releasedCents: row.released,
    basePriceCents: row.base_price,
    shareCents: row.share,
    fees: fees.get(row.sale_id) ?? [],
    payout: payoutOf(row, ctx.now()),
  }));
}

/**
 * What is known of a payout. One that is carried out is still on its way while the money has not reached the bank: a provider says
 * of a transfer that it is made, and when it can be used.
 */
function payoutOf({ payout, reference, arrives_at, settled_at }: Row, now: Date): SellerEntry['payout'] {
  if (payout === null) return null;
  const isUnderWay =
    payout === 'processing' || (payout === 'completed' && arrives_at !== null && arrives_at > now);
  return {
    reference,
    expectedAt: isUnderWay ? arrives_at : null,
    paidAt: payout === 'completed' && !isUnderWay ? settled_at : null,
  };
}

/** The seller's fees of some sales, in the order of the sale. */
async function feesOf(ctx: Ctx, saleIds: string[]): Promise<Map<string, { label: string; cents: number }[]>> {
  const found = new Map<string, { label: string; cents: number }[]>();
  if (saleIds.length === 0) return found;
  const rows = await ctx.db
    .q()
    .selectFrom('transaction_fees')
    .select(['sale_id', 'name', 'percent', 'amount_applied_cents as cents'])
    .where(sql<boolean>`sale_id = any(${saleIds}::uuid[])`)
    .where('applies_to', '=', 'seller')
    .orderBy('position')
    .orderBy('id')
    .execute();
  for (const { sale_id, name, percent, cents } of rows) {
    const fees = found.get(sale_id) ?? [];
    fees.push({ label: percent === null ? name : `${name} (${percent}%)`, cents });
    found.set(sale_id, fees);
  }
  return found;
}
