import { type RawBuilder, sql } from 'kysely';
import { townLine } from '#features/listings/display.ts';
import type { EscrowStatus, PaymentStatus, PayoutStatus } from '#features/sales/model.ts';
import { PAYMENTS, SHORTFALL_ENDED } from '#features/sales/sale-books.ts';
import type { Ctx } from '#platform/context.ts';
import { type Counted, countedAmounts, countedColumns, countedInterval } from './counted.ts';
import {
  groupsOf,
  inGroup,
  isGrouped,
  type ListFilter,
  orderExpressions,
  saleDate,
  sourceOf,
} from './list.ts';
import type { CountedAmounts, ListStatus, PaidBy, TransactionOrder } from './model.ts';

/** Sales read at once. */
const BATCH_SIZE = 1_000;

/** A fee that a sale was charged, in cents. */
interface FeeLine {
  side: 'buyer' | 'seller';
  name: string;
  /** null for a fixed one */
  percent: number | null;
  cents: number;
}

/** A sale as a file has it. Integer cents. */
export interface FileRow {
  id: string;
  date: Date;
  address: string;
  town: string;
  property_id: string;
  seller: string;
  seller_email: string;
  agent_id: string;
  buyer: string;
  buyer_email: string;
  buyer_id: string;
  price: number;
  commission: number;
  fees: number;
  /** what the report that leads to the list counts of it; null in any other list */
  counted: CountedAmounts | null;
  buyer_fees: number;
  seller_fees: number;
  total: number;
  agreed_commission: number;
  platform_share: number;
  returned: number;
  fee_lines: FeeLine[];
  paid_by: PaidBy;
  status: ListStatus;
  payment: PaymentStatus;
  escrow: EscrowStatus;
  payout: PayoutStatus | null;
  frozen: boolean;
  livemode: boolean;
  provider: string;
  payment_ref: string | null;
  receipt_number: number | null;
  created_at: Date;
  sale_date: Date | null;
  released_at: Date | null;
  payout_date: Date | null;
}

/** A stretch of the order: sales under a condition by one expression, in one direction. */
interface Stretch {
  only: RawBuilder<unknown>;
  by: RawBuilder<unknown>;
  type: 'timestamptz' | 'text' | 'bigint';
  descending: boolean;
}

/** The stretches that an order consists of, one after the other. */
function stretchesOf(sort: TransactionOrder | null): Stretch[] {
  if (sort && isGrouped(sort.by)) {
    const { by, descending } = sort;
    return groupsOf({ by, descending }).map((value) => ({
      only: inGroup(by, value),
      by: saleDate,
      type: 'timestamptz',
      descending: true,
    }));
  }
  const by = sort && !isGrouped(sort.by) ? sort.by : 'date';
  const type = by === 'date' ? 'timestamptz' : by === 'property' || by === 'seller' ? 'text' : 'bigint';
  return [{ only: sql`true`, by: orderExpressions[by], type, descending: sort?.descending ?? true }];
}

interface Wanted {
  filter: ListFilter;
  sort: TransactionOrder | null;
  /** see `sourceOf` */
  few: boolean;
}

/**
 * All sales of a list in its order, batch by batch. Each batch begins after the last sale of the one before, so that neither memory
 * nor a connection is held while somebody reads slowly. A sale that moves in the order meanwhile stands at its old or its new place,
 * at both, or at none.
 */
export async function* fileRows(
  ctx: Ctx,
  { filter, sort, few }: Wanted,
  batchSize = BATCH_SIZE,
): AsyncGenerator<FileRow[]> {
  const source = sourceOf(ctx, filter, { by: sort?.by ?? null, few });
  const counts = countedInterval(filter);
  for (const stretch of stretchesOf(sort)) {
    for (let last: (FileRow & Key) | undefined; ; ) {
      const rows = await readBatch(ctx, sql`${idsAfter(last, source, stretch)} limit ${batchSize}`, counts);
      if (rows.length > 0) yield rows;
      last = rows.at(-1);
      if (rows.length < batchSize) break;
    }
  }
}

/** What a sale is ordered by, as text: a Date would lose microseconds. */
interface Key {
  id: string;
  key: string;
}

/** The sales of a stretch that follow one, or all of them. */
function idsAfter(
  last: Key | undefined,
  { found, from, where }: ReturnType<typeof sourceOf>,
  { only, by, type, descending }: Stretch,
): RawBuilder<unknown> {
  const way = descending ? sql`desc` : sql`asc`;
  const after = last
    ? sql`and (${by}, s.id) ${descending ? sql`<` : sql`>`} (${last.key}::${sql.raw(type)}, ${last.id}::uuid)`
    : sql``;
  return sql`${found} select s.id, (${by})::text as key from ${from} where ${where} and ${only} ${after}
    order by ${by} ${way}, s.id ${way}`;
}

type Row = Key &
  Omit<FileRow, 'town' | 'counted'> &
  Partial<Counted> & { city: string; state: string; zip: string };

const returned = sql`(s.returned_base_cents + s.returned_fees_cents)`;
const isShortfallEnd = sql`starts_with(e.idempotency_key, ${SHORTFALL_ENDED}::text || ':')`;

/**
 * What has gone back to the buyer, as `paidOf` has it. A payment without a receipt was never accepted: what went back of it is told from
 * what was set aside. Only sales of which something may have gone back are looked up in the ledger, because a file has very many others.
 */
const refunded = sql`case when ${returned} > 0
    or (s.receipt_number is null and s.stripe_payment_status in ('completed', 'refunded'))
  then (select case when s.receipt_number is null
      then coalesce(sum(p.amount_cents) filter (where p.account = 'suspense' and e.kind in ('L4', 'L5')), 0)
      else least(${returned} + coalesce(sum(p.amount_cents) filter (where p.account = 'write_offs' and ${isShortfallEnd}), 0),
        s.total_cents - greatest(0, sum(p.amount_cents) filter (where p.account = 'write_offs' and not ${isShortfallEnd})))
      end::bigint
    from ledger_entries e join ledger_postings p on p.entry_id = e.id
    where e.sale_id = s.id and e.kind in (${sql.join(PAYMENTS)}) and p.account in ('suspense', 'write_offs'))
  else 0 end`;

async function readBatch(
  ctx: Ctx,
  ids: RawBuilder<unknown>,
  counts: ReturnType<typeof countedInterval>,
): Promise<(FileRow & Key)[]> {
  const { rows } = await sql<Row>`
    select page.key, s.id, ${saleDate} as date, p.address, p.city, p.state, p.zip, s.property_id,
      a.name as seller, a.email as seller_email, s.agent_id, b.name as buyer, b.email as buyer_email, s.buyer_id,
      s.sale_price_cents as price, s.share_left_cents as commission, s.total_fees_cents as fees,
      s.buyer_fees_cents as buyer_fees, s.seller_fees_cents as seller_fees, s.total_cents as total,
      s.agent_commission_cents as agreed_commission, s.admin_fee_cents as platform_share,
      ${refunded} as returned,
      coalesce((select json_agg(json_build_object('side', applies_to, 'name', name, 'percent', percent,
        'cents', amount_applied_cents) order by position, id)
        from transaction_fees where sale_id = s.id), '[]') as fee_lines,
      s.paid_by, s.list_status as status, s.stripe_payment_status as payment, s.escrow_status as escrow,
      s.payout_status as payout, s.frozen_at is not null as frozen, s.livemode, s.provider,
      s.provider_payment_id as payment_ref, s.receipt_number, s.created_at, s.sale_date, s.released_at, s.payout_date
      ${counts ? sql`, counted.*` : sql``}
    from (select row_number() over () as place, chosen.id, chosen.key from (${ids}) chosen) page
      join property_sales s on s.id = page.id join properties p on p.id = s.property_id
      join agents a on a.id = s.agent_id join users b on b.id = s.buyer_id
      ${counts ? sql`cross join lateral (${countedColumns(counts)}) counted` : sql``}
    order by page.place`.execute(ctx.db.q());
  return rows.map((row) => ({
    ...row,
    town: townLine(row),
    counted: counts ? countedAmounts(row.price, row as Counted) : null,
  }));
}
