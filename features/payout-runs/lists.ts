import { type RawBuilder, sql } from 'kysely';
import { isTestMode } from '#features/sales/rules.ts';
import type { Ctx } from '#platform/context.ts';
import { type BoundedCount, lastPageOf } from '#platform/counts.ts';
import { boundedCount } from '#platform/db/bounded-count.ts';
import { DAY } from '#platform/durations.ts';
import type {
  FailedPayout,
  ManualPayout,
  NotYetPayable,
  Obstacle,
  Page,
  PendingPage,
  PendingPayout,
  PendingSort,
  RunMethod,
} from './model.ts';
import { MOST_PAYOUTS } from './rules.ts';
import {
  heldBecause,
  isInRun,
  isPayable,
  methodOf,
  obstacleOf,
  owedForSale,
  type PayableAt,
  proceedsOfRow,
  riskHoldUntil,
  withheldBecause,
} from './sql.ts';

/** Rows on one page of each list of payouts. */
export const PAYOUTS_PAGE_SIZE = 25;

export interface PendingQuery {
  sort?: { by: PendingSort; descending: boolean } | null;
  /** from 1; past the end means the last page that can be opened */
  page?: number;
}

/** The orders of pending payouts, each along an index; equal ones follow in the same direction. */
const orders: Record<PendingSort, RawBuilder<unknown>[]> = {
  seller: [sql`w.seller collate "C"`, sql`w.sale_id`],
  property: [sql`w.address collate "C"`, sql`w.sale_id`],
  price: [sql`s.sale_price_cents`, sql`s.id`],
  commission: [proceedsOfRow, sql`s.id`],
  date: [sql`s.created_at`, sql`s.id`],
};

const fromSales = sql`property_sales s join agents a on a.id = s.agent_id join properties p on p.id = s.property_id`;

/** SQL: the columns that every list shows of the sales with these ids, in their order. */
const withColumns = (ids: RawBuilder<unknown>, owed: RawBuilder<number>, more: RawBuilder<unknown>) => sql`
  select s.id, s.agent_id, a.name as seller, p.address, s.sale_price_cents as price, ${owed} as owed,
    ${methodOf} as method, s.livemode, s.created_at, ${more}
  from (select row_number() over () as place, chosen.id from (${ids}) chosen) listed
    join ${fromSales} on s.id = listed.id
  order by listed.place`;

interface SaleRow {
  id: string;
  agent_id: string;
  seller: string;
  address: string;
  price: number;
  owed: number;
  method: RunMethod | null;
  livemode: boolean;
  created_at: Date;
}

const payoutFrom = (
  ctx: Ctx,
  { id, agent_id, seller, address, price, owed, method, livemode, created_at }: SaleRow,
) => ({
  saleId: id,
  seller: { id: agent_id, name: seller },
  address,
  salePriceCents: price,
  amountCents: owed,
  method,
  testMode: isTestMode(ctx.config, { livemode }),
  createdAt: created_at.toISOString(),
});

async function pageOf<Row, Item>(
  ctx: Ctx,
  {
    from,
    page: wanted = 1,
    ids,
    owed = owedForSale,
    more,
    item,
  }: {
    from: RawBuilder<unknown>;
    page?: number | undefined;
    /** `upTo`: no more than the first so many have to be known, in order */
    ids: (cut: RawBuilder<unknown>, upTo: number) => RawBuilder<unknown>;
    owed?: RawBuilder<number>;
    more: RawBuilder<unknown>;
    item: (row: Row) => Item;
  },
): Promise<Page<Item>> {
  const total = await boundedCount(ctx, from);
  if (total.count === 0) return { rows: [], total, page: 1, pages: 1 };
  const pages = lastPageOf(total, PAYOUTS_PAGE_SIZE);
  const page = Math.min(Math.max(1, Math.trunc(wanted)), pages);
  const offset = (page - 1) * PAYOUTS_PAGE_SIZE;
  const chosen = ids(sql`limit ${PAYOUTS_PAGE_SIZE} offset ${offset}`, offset + PAYOUTS_PAGE_SIZE);
  const { rows } = await sql<Row>`${withColumns(chosen, owed, more)}`.execute(ctx.db.q());
  return { rows: rows.map(item), total, page, pages };
}

/** SQL: whether the payout of the sale `s` can be made now and is in no run, so that it can be selected. */
export const isSelectable = (at: PayableAt): RawBuilder<boolean> =>
  sql<boolean>`(${isPayable(at)} and not ${isInRun})`;

/** SQL: the ids of the pending payouts of which the condition holds, sorted. */
export function pendingIds(
  condition: RawBuilder<boolean>,
  sort: PendingQuery['sort'],
  cut: RawBuilder<unknown>,
) {
  const { by, descending } = sort ?? { by: 'date', descending: true };
  const way = descending ? sql`desc` : sql`asc`;
  const order = sql.join(orders[by].map((column) => sql`${column} ${way}`));
  const from =
    by === 'seller' || by === 'property'
      ? sql`property_sales s join sale_search w on w.sale_id = s.id`
      : sql`property_sales s`;
  return sql`select s.id from ${from} where ${condition} order by ${order} ${cut}`;
}

/** A page of the payouts that can be made now, the newest sale first unless sorted, with the number of all that can be selected. */
export async function pendingPage(
  ctx: Ctx,
  at: PayableAt,
  { sort, page }: PendingQuery,
): Promise<PendingPage> {
  const found = await pageOf<SaleRow & { obstacle: Obstacle | null; in_run: boolean }, PendingPayout>(ctx, {
    from: sql`from property_sales s where ${isPayable(at)}`,
    page,
    ids: (cut) => pendingIds(isPayable(at), sort, cut),
    more: sql`${obstacleOf} as obstacle, ${isInRun} as in_run`,
    item: ({ obstacle, in_run, ...row }) => ({ ...payoutFrom(ctx, row), obstacle, inRun: in_run }),
  });
  return { ...found, selectable: await selectableOf(ctx, at, found.total) };
}

/** How many of the pending payouts are in no run, of which few are in one. */
async function selectableOf(ctx: Ctx, at: PayableAt, total: BoundedCount): Promise<BoundedCount> {
  if (total.count === 0) return total;
  const { rows } = await sql<{ in_runs: number }>`
    select count(*)::integer as in_runs from payout_run_items i join property_sales s on s.id = i.sale_id
    where i.status = 'waiting' and ${isPayable(at)}`.execute(ctx.db.q());
  const inRuns = rows[0]?.in_runs ?? 0;
  if (inRuns === 0) return total;
  if (!total.more) return { count: total.count - inRuns, more: false };
  return boundedCount(ctx, sql`from property_sales s where ${isSelectable(at)}`);
}

/** The sum in cents of the pending payouts that can be selected together: the first thousand in the order. */
export async function sumOfPending(ctx: Ctx, at: PayableAt, sort: PendingQuery['sort']): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select coalesce(sum(${owedForSale}), 0)::bigint as cents
    from (${pendingIds(isSelectable(at), sort, sql`limit ${MOST_PAYOUTS}`)}) s`.execute(ctx.db.q());
  return rows[0]?.cents ?? 0;
}

/** A page of paid sales in escrow and of held payouts: what is held first, then by when the escrow is released. */
export const notYetPayablePage = (ctx: Ctx, at: PayableAt, page: number | undefined) => {
  const held = sql`s.payout_status = 'pending' and ${isPayable(at)} is not true`;
  const inEscrow = sql`s.escrow_status = 'in_escrow' and s.stripe_payment_status = 'completed'`;
  return pageOf<SaleRow & { reason: NotYetPayable['reason'] | null; until: Date | null }, NotYetPayable>(
    ctx,
    {
      // Each kind along its own index.
      from: sql`from (select from property_sales s where ${inEscrow}
        union all select from property_sales s where ${held}) listed`,
      page,
      ids: (cut, upTo) => sql`select found.id from (
          (select s.id, 0 as kind, s.created_at as at from property_sales s where ${held}
            order by s.created_at desc, s.id desc limit ${upTo})
          union all (select s.id, 1, s.sale_date from property_sales s where ${inEscrow}
            order by s.sale_date desc, s.id desc limit ${upTo})) found
        order by found.kind, found.at desc, found.id desc ${cut}`,
      // The ledger owes the seller nothing before the release.
      owed: sql`case when s.escrow_status = 'in_escrow' then ${proceedsOfRow} else ${owedForSale} end`,
      more: sql`case when s.escrow_status = 'in_escrow' then 'in_escrow' else ${heldBecause(at)} end as reason,
        case when s.escrow_status = 'in_escrow' then s.release_due_at
          when ${heldBecause(at)} = 'risk_hold' then ${riskHoldUntil(at)}
          when ${heldBecause(at)} = 'cooling_down' then a.payout_hold_until end as until`,
      item: ({ reason, until, ...row }) => ({
        ...payoutFrom(ctx, row),
        reason: reason ?? 'not_released',
        until: until?.toISOString() ?? null,
      }),
    },
  );
};

/** SQL: a column of the last attempt that failed of the sale `s`. */
const lastFailure = (column: RawBuilder<unknown>) => sql`(select o.${column} from payouts o
  where o.sale_id = s.id and o.status = 'failed' order by o.created_at desc, o.id desc limit 1)`;

/** A page of the payouts that failed, the newest sale first. */
export const failedPage = (ctx: Ctx, page: number | undefined) =>
  pageOf<SaleRow & { failure: string | null; failed_at: Date | null }, FailedPayout>(ctx, {
    from: sql`from property_sales s where s.payout_status = 'failed'`,
    page,
    ids: (cut) => sql`select s.id from property_sales s where s.payout_status = 'failed'
      order by s.created_at desc, s.id desc ${cut}`,
    more: sql`${lastFailure(sql`failure_reason`)} as failure, ${lastFailure(sql`settled_at`)} as failed_at`,
    item: ({ failure, failed_at, ...row }) => ({
      ...payoutFrom(ctx, row),
      failure,
      failedAt: failed_at?.toISOString() ?? null,
    }),
  });

interface ManualRow {
  id: string;
  sale_id: string;
  agent_id: string;
  seller: string;
  address: string;
  amount: number;
  livemode: boolean;
  reference: string | null;
  recorded_by: string | null;
  recorder: string | null;
  withheld: ManualPayout['withheld'];
  created_at: Date;
  confirmed_at: Date | null;
}

/** How long a confirmed payout by hand stays listed: banks return transfers within weeks. */
const RETURNED_WITHIN_MS = 90 * DAY;

/** A page of the payouts by hand: those to be made, the oldest first, then those confirmed lately, which may come back. */
export async function manualPage(ctx: Ctx, wanted = 1): Promise<Page<ManualPayout>> {
  const confirmedSince = new Date(ctx.now().getTime() - RETURNED_WITHIN_MS);
  const listed = sql`o.method = 'manual' and (o.status = 'processing'
    or o.status = 'completed' and o.amount_cents > 0 and o.settled_at > ${confirmedSince})`;
  const from = sql`from payouts o where ${listed}`;
  const total = await boundedCount(ctx, from);
  const pages = lastPageOf(total, PAYOUTS_PAGE_SIZE);
  const page = Math.min(Math.max(1, Math.trunc(wanted)), pages);
  const { rows } = await sql<ManualRow>`
    select o.id, o.sale_id, o.agent_id, a.name as seller, p.address, o.amount_cents as amount, s.livemode,
      o.bank_reference as reference, o.recorded_by, u.name as recorder, o.created_at, ${withheldBecause} as withheld,
      case when o.status = 'completed' then o.settled_at end as confirmed_at
    from payouts o join agents a on a.id = o.agent_id join property_sales s on s.id = o.sale_id
      join properties p on p.id = s.property_id left join users u on u.id = o.recorded_by
    where ${listed}
    order by o.status = 'completed', case when o.status = 'processing' then o.created_at end, o.settled_at desc, o.id
    limit ${PAYOUTS_PAGE_SIZE} offset ${(page - 1) * PAYOUTS_PAGE_SIZE}`.execute(ctx.db.q());
  return {
    total,
    page,
    pages,
    rows: rows.map((row) => ({
      payoutId: row.id,
      saleId: row.sale_id,
      seller: { id: row.agent_id, name: row.seller },
      address: row.address,
      amountCents: row.amount,
      testMode: isTestMode(ctx.config, row),
      reference: row.reference,
      recordedBy: row.recorded_by === null ? null : { id: row.recorded_by, name: row.recorder ?? '' },
      startedAt: row.created_at.toISOString(),
      withheld: row.withheld,
      confirmedAt: row.confirmed_at?.toISOString() ?? null,
    })),
  };
}
