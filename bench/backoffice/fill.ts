import type { Pool } from 'pg';

/** How much of everything there is; a share of it for a short run. */
export const amounts = (share: number) => ({
  listings: Math.round(1_000_000 * share),
  sellers: Math.round(100_000 * share),
  sales: Math.round(200_000 * share),
  inquiries: Math.round(500_000 * share),
});

/**
 * Adds the rest of a marketplace to a database that holds the listings alone: sellers, of whom most are registered, as many
 * buyers, sales of every fifth listing in every state, conversations of one to three messages, tasks, and the audit rows of all
 * that. Triggers are off meanwhile; what they keep up to date is written here.
 */
export async function fillBackoffice(
  pool: Pool,
  { sellers, sales, inquiries }: ReturnType<typeof amounts>,
): Promise<void> {
  const client = await pool.connect();
  const run = (sql: string, values: readonly unknown[] = []) => client.query(sql, [...values]);
  try {
    await run('set session_replication_role = replica');
    await people(run, sellers);
    await listings(run, sellers);
    await sold(run, sales);
    await conversations(run, inquiries);
    await work(run, Math.round(sales / 100));
    await run('set session_replication_role = origin');
    await run('vacuum (analyze)');
    // What is still to be written would slow down whatever is measured first.
    await run('checkpoint');
  } finally {
    client.release();
  }
}

type Run = (sql: string, values?: readonly unknown[]) => Promise<unknown>;

/** Numbered tables of people, from which the others are drawn. */
async function people(run: Run, count: number): Promise<void> {
  await run(
    `create table bench_buyers as select n, gen_random_uuid() as id from generate_series(1, ${count}) n`,
  );
  await run(`create table bench_sellers as
    select n, gen_random_uuid() as id, case when n % 5 <> 0 then gen_random_uuid() end as user_id from generate_series(1, ${count}) n`);
  await run('create index on bench_buyers (n)');
  await run('create index on bench_sellers (n)');
  await run(`insert into users (id, name, email, email_verified, is_buyer, created_at)
    select id, 'Bench Buyer ' || n, 'buyer' || n || '@bench.test', true, true, now() - n * interval '5 minutes' from bench_buyers
    union all
    select user_id, 'Bench Seller ' || n, 'seller' || n || '@bench.test', true, false, now() - n * interval '5 minutes'
      from bench_sellers where user_id is not null`);
  await run(`insert into profiles (id, role, created_at)
    select id, 'buyer', now() - n * interval '5 minutes' from bench_buyers
    union all select user_id, 'agent', now() - n * interval '5 minutes' from bench_sellers where user_id is not null`);
  await run(`insert into agents (id, user_id, name, email, phone, commission_rate, status, registered_at, payout_status,
      preferred_payout_method, created_at)
    select id, user_id, 'Bench Seller ' || n, 'seller' || n || '@bench.test', '+1541555' || lpad((n % 10000)::text, 4, '0'),
      case when n % 3 = 0 then 70 + n % 25 end, case when n % 50 = 0 then 'suspended' else 'active' end,
      case when user_id is not null then now() - n * interval '4 minutes' end,
      case when n % 4 = 0 then 'pending' else 'complete' end, (array['stripe', 'paypal', null])[n % 3 + 1],
      now() - n * interval '5 minutes' from bench_sellers`);
}

async function listings(run: Run, sellers: number): Promise<void> {
  await run('create table bench_listings as select row_number() over (order by id) as n, id from properties');
  await run('create index on bench_listings (n)');
  // Four fifths are on the market, the rest waits, was refused or withdrawn.
  await run(`update properties p set agent_id = s.id, views = l.n * 31 % 5000, seller_suspended = s.n % 50 = 0,
      status = case l.n % 25 when 1 then 'pending' when 2 then 'rejected' when 3 then 'withdrawn' when 4 then 'changes_requested'
        else 'Active' end
    from bench_listings l join bench_sellers s on s.n = l.n * 7919 % ${sellers} + 1 where p.id = l.id`);
}

async function sold(run: Run, count: number): Promise<void> {
  // The listings whose number ends in 0 or 5, in turn; one of ten sales is under way, one was given up.
  await run(`insert into property_sales (property_id, buyer_id, agent_id, sale_price_cents, buyer_fees_cents, seller_fees_cents,
      admin_percentage, agent_commission_cents, payment_method, paid_with, provider, stripe_payment_status, escrow_status,
      payout_status, payout_date, sale_date, released_at, receipt_number, idempotency_key, created_at)
    select p.id, b.id, p.agent_id, p.price_cents, 45000, 10000, 20, round(p.price_cents * 0.8),
      case when k % 3 = 0 then 'crypto' else 'card' end, (array['chain', 'card', 'bank'])[k % 3 + 1], 'sandbox-card',
      case when k % 10 = 9 then 'failed' else 'completed' end,
      case k % 10 when 9 then 'cancelled' when 8 then 'in_escrow' else 'completed' end,
      case when k % 10 < 8 then (array['pending', 'processing', 'completed', 'completed', 'failed'])[k % 5 + 1] end,
      case when k % 10 < 8 and k % 5 in (2, 3) then now() - k * interval '6 minutes' end,
      case when k % 10 <> 9 then now() - k * interval '7 minutes' end,
      case when k % 10 < 8 then now() - least(k * interval '6 minutes', k % 28 * interval '1 day') end,
      case when k % 10 <> 9 then k end, 'bench ' || k, now() - k * interval '8 minutes'
    from generate_series(1, ${count}) k
      join bench_listings l on l.n = k * 5 join properties p on p.id = l.id
      join bench_buyers b on b.n = k * 104729::bigint % (select count(*) from bench_buyers) + 1`);
  await run(`update properties p set status = case s.escrow_status when 'completed' then 'Sold' else 'escrow' end
    from property_sales s where s.property_id = p.id and s.escrow_status in ('completed', 'in_escrow')`);
}

async function conversations(run: Run, count: number): Promise<void> {
  await run(`insert into property_inquiries (property_id, user_id, message, status, first_reply_at, last_message_at, created_at)
    select l.id, b.id, 'Is number ' || number || ' still for sale?', case when number % 3 = 0 then 'resolved' else 'pending' end,
      case when number % 3 > 0 then at + interval '3 hours' end, at + number % 3 * interval '3 hours', at
    from (select number, now() - number * interval '2 minutes' as at from generate_series(1, ${count}) number) numbers
      join bench_listings l on l.n = number * 15485863::bigint % (select count(*) from bench_listings) + 1
      join bench_buyers b on b.n = number % (select count(*) from bench_buyers) + 1
    on conflict do nothing`);
  await run(`insert into inquiry_messages (inquiry_id, sender_id, message, is_read, created_at)
    select i.id, case when k % 2 = 0 then i.user_id else coalesce(a.user_id, i.user_id) end, 'Message ' || k, true,
      i.created_at + k * interval '3 hours'
    from property_inquiries i join properties p on p.id = i.property_id join agents a on a.id = p.agent_id,
      generate_series(0, 2) k where k = 0 or i.created_at + k * interval '3 hours' <= i.last_message_at`);
  await run(`update property_inquiries i set search_text = inquiry_search_text(i.property_id, i.user_id),
      state = s.state, first_reply_at = s.first_reply_at from inquiry_states s where s.id = i.id`);
  await run(`insert into inquiry_reports (inquiry_id, reported_by, reason, resolved_at, decision, created_at)
    select id, user_id, 'This is not polite.', case when n % 10 > 0 then now() end, case when n % 10 > 0 then 'closed' end, created_at
    from (select *, row_number() over (order by id) as n from property_inquiries) i
    where n <= ${Math.round(count / 1_000)}`);
}

async function work(run: Run, count: number): Promise<void> {
  await run(`insert into admin_tasks (kind, subject_type, subject_id, severity, detail, created_at, closed_at, resolution)
    select (array['payment_mismatch', 'refund_failed', 'documents_overdue', 'problem_reported'])[n % 4 + 1], 'sale', id::text,
      (array['low', 'high', 'critical'])[n % 3 + 1], 'Look at sale ' || n, created_at, case when n % 10 > 0 then now() end,
      case when n % 10 > 0 then 'Looked at' end
    from (select id, created_at, row_number() over (order by id) as n from property_sales) s where n <= ${count}`);
  await run(`insert into audit_log (at, actor_role, action, entity, entity_id, before, after, request_id)
    select p.created_at + k * interval '1 day', 'agent', (array['listing.submit', 'listing.approve', 'listing.edit'])[k + 1],
      'property', p.id::text, null, '{"status": "Active"}', 'bench'
    from properties p, generate_series(0, 2) k`);
}
