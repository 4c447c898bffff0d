import type { Database } from '#platform/db/database.ts';
import { createUser } from '#tests/support/fixtures/users.ts';

export const SALES = 200_000;
/** Payouts that can be made now: every tenth sale. */
export const PENDING = SALES / 10;
const SELLERS = 1_000;
const BUYERS = 5_000;

/**
 * 200,000 sales of a thousand sellers: a tenth can be paid out now, others are held, in escrow, failed or given up, most are paid
 * out; half of them live. Triggers are off meanwhile; what they keep up to date is written here.
 */
export async function fillPayouts(db: Database) {
  const admin = await createUser(db, 'admin');
  const client = await db.pool.connect();
  const run = (text: string) => client.query(text);
  try {
    await run('set session_replication_role = replica');
    await run(
      `create table bench_buyers as select n, gen_random_uuid() as id from generate_series(1, ${BUYERS}) n`,
    );
    await run(
      `create table bench_sellers as select n, gen_random_uuid() as id from generate_series(1, ${SELLERS}) n`,
    );
    await run(
      `create table bench_listings as select n, gen_random_uuid() as id from generate_series(1, ${SALES}) n`,
    );
    await run(
      `create table bench_sales as select n, gen_random_uuid() as id from generate_series(1, ${SALES}) n`,
    );
    await run(`insert into users (id, name, email, email_verified)
      select id, 'Bench Buyer ' || n, 'buyer' || n || '@bench.test', true from bench_buyers`);
    await run(`insert into profiles (id, role) select id, 'buyer' from bench_buyers`);
    await run(`insert into agents (id, name, email, preferred_payout_method, stripe_account_id, stripe_transfers_active,
        paypal_email, paypal_confirmed_at, status)
      select id, 'Bench Seller ' || n, 'seller' || n || '@bench.test', (array['stripe', 'paypal', null])[n % 3 + 1],
        case when n % 3 = 0 then 'acct_' || n end, n % 3 = 0, case when n % 3 = 1 then 'pay' || n || '@bench.test' end,
        case when n % 3 = 1 then now() end, case when n % 100 = 7 then 'suspended' else 'active' end from bench_sellers`);
    await run(`insert into properties (id, agent_id, type_id, address, city, state, zip, price_cents, status, created_at)
      select l.id, s.id, n % 4 + 1, n || ' ' || (array['Larkspur Lane', 'Maple Street', 'Bench Road'])[n % 3 + 1],
        (array['Cedar Hollow', 'Port Alder'])[n % 2 + 1], 'OR', '97031', 10000000 + n::bigint * 7919 % 90000000, 'Sold',
        now() - n * interval '7 minutes'
      from bench_listings l join (select id, n as seller from bench_sellers) s on s.seller = l.n % ${SELLERS} + 1`);
    await run(`insert into property_sales (id, property_id, buyer_id, agent_id, sale_price_cents, buyer_fees_cents,
        seller_fees_cents, admin_percentage, agent_commission_cents, payment_method, paid_with, provider, livemode,
        stripe_payment_status, escrow_status, payout_status, payout_date, sale_date, released_at, receipt_number,
        provider_payment_id, idempotency_key, created_at)
      select id, property_id, buyer_id, agent_id, price, 45000, 10000, 20, round(price * 0.8),
        case when n % 3 = 0 then 'crypto' else 'card' end, (array['chain', 'card', 'bank'])[n % 3 + 1], 'stripe', n % 2 = 0,
        case when part = 9 then 'failed' else 'completed' end,
        case when part = 9 then 'cancelled' when part = 8 then 'in_escrow' else 'completed' end,
        case when part > 7 then null when part = 0 or n % 40 = 1 then 'pending' when n % 200 = 3 then 'failed'
          when n % 200 = 13 then 'processing' else 'completed' end,
        case when part between 1 and 7 and n % 40 <> 1 and n % 200 not in (3, 13) then at + interval '9 days' end,
        case when part <> 9 then at end,
        case when part <= 7 then case when n % 40 = 1 then now() - interval '1 hour' else at + interval '6 days' end end,
        case when part <> 9 then n end, 'pi_' || n, 'bench ' || n, at - interval '1 hour'
      from (select k.n, k.id, k.n % 10 as part, now() - interval '30 days' - k.n * interval '3 minutes' as at, p.id as property_id,
          p.agent_id, p.price_cents as price, b.id as buyer_id
        from bench_sales k join bench_listings l on l.n = k.n join properties p on p.id = l.id
          join bench_buyers b on b.n = k.n % ${BUYERS} + 1) sales`);
    await run(`insert into sale_search (sale_id, address, seller, words)
      select s.id, lower(p.address), lower(a.name), sale_words(p, a)
      from property_sales s join properties p on p.id = s.property_id join agents a on a.id = s.agent_id`);
    await run(`insert into transaction_fees (sale_id, name, fee_type, percent, applies_to, amount_applied_cents, position)
      select s.id, f.name, f.fee_type, f.percent, f.applies_to, f.cents, f.position
      from property_sales s cross join (values ('Title service', 'fixed', null::numeric, 'buyer', 20000, 1),
        ('Processing', 'percentage', 0.25, 'buyer', 25000, 2), ('Listing', 'fixed', null, 'seller', 10000, 3))
        f(name, fee_type, percent, applies_to, cents, position)`);
    await run(`insert into ledger_entries (idempotency_key, kind, sale_id, created_at)
      select 'release:' || id, 'L2', id, released_at from property_sales where released_at is not null`);
    await run(`insert into ledger_postings (entry_id, account, amount_cents)
      select e.id, line.account, line.cents from ledger_entries e join property_sales s on s.id = e.sale_id
        cross join lateral (values ('escrow', s.sale_price_cents), ('seller_payable', 10000 - s.agent_commission_cents),
          ('platform_revenue', s.agent_commission_cents - 10000 - s.sale_price_cents)) line(account, cents)`);
    await run('set session_replication_role = origin');
    await run('vacuum (analyze)');
    const { rows } = await client.query<{ sale: string; seller: string }>(
      `select s.id as sale, a.email as seller from property_sales s join agents a on a.id = s.agent_id
       where s.payout_status = 'completed' limit 1`,
    );
    return { admin, sample: rows[0] ?? { sale: '', seller: '' } };
  } finally {
    client.release();
  }
}
