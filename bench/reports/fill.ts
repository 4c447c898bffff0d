import type { Pool } from 'pg';
import type { Database } from '#platform/db/database.ts';
import { fillReportEvents } from '#platform/db/migrations/0060_reports.ts';
import { fillPaymentEvents } from '#platform/db/migrations/0139_payment_counts.ts';

/** How much of everything there is over five years; a share of it for a short run. */
export const amounts = (share: number, views: number) => ({
  sales: Math.round(1_000_000 * share),
  views: Math.round(views * share),
  buyers: Math.round(1_000_000 * share),
  searches: Math.round(500_000 * share),
});

const PROPERTIES = 50_000;
const WORDS = 20_000;

/**
 * Fills a migrated database: sales of which one of twenty is refunded in part a week later, with their entries in the ledger,
 * views, watches, inquiries, buyers and searches. Triggers are off meanwhile; the events of all that are written in the end, as
 * by the migration, and wait to be folded.
 */
export async function fillReports(
  db: Database,
  agentId: string,
  { sales, views, buyers, searches }: ReturnType<typeof amounts>,
): Promise<void> {
  await db.pool.query(
    `insert into properties (agent_id, type_id, address, city, state, zip, price_cents, status, created_at)
    select $1, n % 4 + 1, n || ' Bench Road', 'City ' || n % 500, 'OR', lpad((n % 900)::text, 5, '0'),
      (10 ^ (7 + random() * 1.6))::bigint, 'Active', now() - interval '5 years' from generate_series(1, ${PROPERTIES}) n`,
    [agentId],
  );
  await db.pool.query(`select make_view_month((date_trunc('month', now()) - n * interval '1 month')::date)
    from generate_series(0, 60) n`);
  const client = await db.pool.connect();
  const run = (sql: string, values: readonly unknown[] = []) => client.query(sql, [...values]);
  try {
    await run('set session_replication_role = replica');
    await run(
      `create table bench_properties as select row_number() over (order by id)::integer as n, id, price_cents from properties`,
    );
    await run('create unique index on bench_properties (n)');
    await money(run, agentId, sales);
    await interest(run, { views, buyers, searches });
    await run('set session_replication_role = origin');
    await run('vacuum (analyze)');
  } finally {
    client.release();
  }
  await fillReportEvents(db.q());
  await fillPaymentEvents(db.q());
}

type Run = (sql: string, values?: readonly unknown[]) => ReturnType<Pool['query']>;

const when = `now() - random() * interval '1825 days'`;

async function money(run: Run, agentId: string, count: number): Promise<void> {
  // Properties are sold many times here.
  await run('drop index property_sales_one_live');
  await run(
    `insert into property_sales (property_id, buyer_id, agent_id, sale_price_cents, buyer_fees_cents, seller_fees_cents,
      returned_base_cents, admin_percentage, agent_commission_cents, payment_method, provider, stripe_payment_status, escrow_status,
      payout_status, sale_date, released_at, receipt_number, idempotency_key, created_at)
    select p.id, $1, $1, p.price_cents, 45000, 10000, case when k % 20 = 0 then p.price_cents / 10 else 0 end, 20,
      p.price_cents * 4 / 5, 'card', 'sandbox-card', 'completed', 'completed',
      case when k % 50 = 0 then (array['pending', 'processing', 'failed'])[k % 3 + 1] else 'completed' end,
      at, at + interval '5 days', k, 'bench ' || k, at - interval '10 minutes'
    from (select k, (random() * ${PROPERTIES - 1})::integer + 1 as n, ${when} as at from generate_series(1, ${count}) k) sales
      join bench_properties p using (n)`,
    [agentId],
  );
  // What of the books the reports are about.
  const entry = (key: string, kind: string, at: string, condition: string) =>
    run(`insert into ledger_entries (idempotency_key, kind, sale_id, created_at)
      select '${key}:' || s.id, '${kind}', s.id, ${at} from property_sales s where ${condition}`);
  await entry('paid', 'L1', 's.sale_date', 'true');
  await entry('refund', 'L4', `s.sale_date + interval '7 days'`, 's.returned_base_cents > 0');
  const posting = (account: string, cents: string, kind: string) =>
    run(`insert into ledger_postings (entry_id, account, amount_cents) select e.id, '${account}', ${cents}
      from ledger_entries e join property_sales s on s.id = e.sale_id where e.kind = '${kind}'`);
  await posting('escrow_held', '-s.sale_price_cents', 'L1');
  await posting('fees_held', '-s.buyer_fees_cents', 'L1');
  await posting('escrow_held', 's.returned_base_cents', 'L4');
  // Without what is owed for them, the server's jobs would take these for payouts of nothing and complete one after the other.
  await entry('release', 'L2', 's.released_at', `s.payout_status <> 'completed'`);
  await posting('escrow_held', 's.share_left_cents - s.seller_fees_cents', 'L2');
  await posting('seller_payable', 's.seller_fees_cents - s.share_left_cents', 'L2');
}

async function interest(
  run: Run,
  { views, buyers, searches }: { views: number; buyers: number; searches: number },
): Promise<void> {
  await run(`insert into property_view_events (property_id, viewer, viewed_at)
    select p.id, v.viewer, v.at from (select (random() * ${PROPERTIES - 1})::integer + 1 as n,
        'viewer ' || (random() * 200000)::integer as viewer, ${when} as at from generate_series(1, ${views})) v
      join bench_properties p using (n)`);
  await run(
    `insert into profiles (id, role, created_at) select gen_random_uuid(), 'buyer', ${when} from generate_series(1, ${buyers})`,
  );
  await run(`insert into property_watches (property_id, user_id, created_at)
    select p.id, gen_random_uuid(), ${when} from generate_series(1, ${Math.round(views / 50)}) k
      join bench_properties p on p.n = k % ${PROPERTIES} + 1`);
  await run(`insert into property_inquiries (property_id, user_id, message, first_reply_at, last_message_at, created_at)
    select p.id, gen_random_uuid(), 'Is it quiet?', case when k % 3 > 0 then at + interval '3 hours' end, at, at
    from (select k, ${when} as at from generate_series(1, ${Math.round(views / 100)}) k) asked
      join bench_properties p on p.n = k % ${PROPERTIES} + 1`);
  // A few words are searched for very often.
  await run(`insert into search_events (query, filters, results, created_at)
    select case when k % 10 = 0 then 'City ' || k % 500 else 'word ' || (${WORDS} * random() ^ 3)::integer end,
      case when k % 4 = 0 then jsonb_build_object('typeId', k % 4 + 1) when k % 4 = 1
        then jsonb_build_object('minCents', k % 20 * 10000000, 'maxCents', (k % 20 + 2) * 10000000) else '{}' end, k % 9, ${when}
    from generate_series(1, ${searches}) k`);
}
