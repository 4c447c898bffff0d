import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { chainAudit } from '#features/audit/commands/chain-audit.ts';
import { checkAudit } from '#features/audit/reads.ts';
import { syncPayment } from '#features/payments/commands/sync-payment.ts';
import { reconcileAccounts } from '#features/reconciliation/commands/reconcile-accounts.ts';
import { eventLabels } from '#features/sales/timeline.ts';
import { updateTours } from '#features/tours/commands/update-tours.ts';
import { openPayments } from '#gateways/payments/open.ts';
import { openPayouts } from '#gateways/payouts/open.ts';
import { hashPassword, matchingHash } from '#platform/auth/password.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnEachDatabase, freshDatabase } from '#tests/support/database/test-database.ts';
import { testConfig, testContext } from '#tests/support/fixtures/context.ts';
import { disableDemoAccounts, refuseOpenDemoAccounts } from './accounts.ts';
import { DemoRefused, loadDemoMarket } from './load.ts';
import type { DocumentFile } from './market/documents/documents.ts';

const NOW = new Date('2026-11-20T15:40:00Z');

await describeOnEachDatabase('loadDemoMarket', (open) => {
  let db: Database;
  const stored: DocumentFile[] = [];
  const storeFile = async (file: { key: string; body: Uint8Array; contentType: string; sha256: string }) =>
    stored.push({ ...file, body: Buffer.from(file.body) });
  const count = async (text: string) =>
    Number((await db.pool.query(`select count(*) as n from ${text}`)).rows[0].n);

  beforeAll(async () => {
    db = await open();
    expect(await loadDemoMarket(db, { now: NOW, hashPassword, storeFile })).toBe(true);
  });
  afterAll(() => db.close());

  it('fills every screen', async () => {
    expect(await count('properties where is_public')).toBe(240);
    expect(await count('properties where is_featured')).toBe(5);
    expect(await count(`properties where status = 'Active' and not is_public`)).toBe(2);
    expect(await count('search_entries')).toBe(240);
    expect(await count('property_amenities')).toBeGreaterThan(200);
    expect(
      await count(`property_inquiries where status = 'resolved' and first_reply_at is not null`),
    ).toBeGreaterThan(10);
    expect(await count(`property_inquiries where status = 'pending'`)).toBeGreaterThan(10);
    expect(await count('search_events')).toBe(320);
    expect(await count('document_registry')).toBe(stored.length);
    expect(await count('completion_nfts')).toBeGreaterThan(10);
  });

  it('shows tours in every state, at times that their sellers offer, and reminds no one yet', async () => {
    const ctx = testContext(db, { actor: { kind: 'system', name: 'test' }, now: () => NOW });
    const { rows } = await db.pool.query(
      `select s.email as seller, b.email as buyer, t.status from tours t
        join agents s on s.id = t.agent_id join users b on b.id = t.buyer_id`,
    );
    expect(new Set(rows.map(({ status }) => status)).size).toBe(7);
    for (const seller of ['seller@acre.test', 'seller2@acre.test'])
      for (const status of ['requested', 'confirmed', 'done'])
        expect(rows.filter((one) => one.seller === seller && one.status === status)).not.toEqual([]);
    for (const buyer of ['buyer@acre.test', 'buyer2@acre.test'])
      for (const status of ['requested', 'confirmed', 'done'])
        expect(rows.filter((one) => one.buyer === buyer && one.status === status)).not.toEqual([]);
    const outside = await count(`tours t where not exists (select from tour_hours h
      where h.agent_id = t.agent_id and h.weekday = extract(dow from t.starts_at at time zone t.time_zone)
        and extract(epoch from (t.starts_at at time zone t.time_zone)::time) / 60 between h.starts and h.ends - 30)`);
    expect(outside).toBe(0);
    expect(await updateTours(ctx)).toEqual({ ended: 0, cancelled: 0, reminded: 0 });
    // Until the end of the day.
    const midnight = new Date('2026-11-20T23:59:59Z');
    expect(await updateTours({ ...ctx, now: () => midnight })).toEqual({
      ended: 0,
      cancelled: 0,
      reminded: 0,
    });
  });

  it('counts views as the database trigger would have', async () => {
    expect(
      await count(
        `properties p where views <> (select count(*) from property_view_days d where d.property_id = p.id)`,
      ),
    ).toBe(0);
    const before = await count('property_view_days');
    await db.pool.query(
      `insert into property_view_events (property_id, viewer) select id, 'someone' from properties where featured_slot = 1`,
    );
    expect(await count('property_view_days')).toBe(before + 1);
  });

  it('writes a ledger that satisfies the database constraints', async () => {
    const { rows } = await db.pool.query(`select
      (select coalesce(sum(amount_cents), 0) from ledger_postings) as together,
      (select -sum(amount_cents) from ledger_postings where account = 'seller_payable') as payable,
      (select sum(agent_commission_cents) from property_sales where payout_status in ('pending', 'failed')) as unpaid`);
    expect(rows[0].together).toBe(0);
    expect(rows[0].payable).toBe(rows[0].unpaid);
  });

  it('is what its audit rows say', async () => {
    const ctx = testContext(db, { actor: { kind: 'system', name: 'test' }, now: () => NOW });
    expect(await chainAudit(ctx)).toBeGreaterThan(300);
    expect(await checkAudit(ctx)).toMatchObject({ findings: [], total: 0 });
  });

  it('agrees with the payment providers about every sale', async () => {
    const ctx = testContext(db, { actor: { kind: 'system', name: 'test' }, now: () => NOW });
    const payments = await openPayments(testConfig, db, { now: () => NOW });
    const countRecords = () =>
      Promise.all([count('sale_events'), count('ledger_entries'), count('refunds'), count('disputes')]);
    const before = await countRecords();
    const sales = await db.q().selectFrom('property_sales').select(['id', 'provider_session_id']).execute();
    expect(sales.filter(({ provider_session_id }) => provider_session_id === null)).toEqual([]);
    for (const { id } of sales) await syncPayment({ ...ctx, payments }, { saleId: id });
    expect(await countRecords()).toEqual(before);
    expect(await count(`property_sales where failure_reason = 'Unknown to the provider.'`)).toBe(0);
    expect(await count(`sandbox_checkouts where status = 'paid'`)).toBe(
      await count('property_sales where sale_date is not null'),
    );
  });

  it('has nothing to reconcile that does not agree, apart from the differences it shows', async () => {
    const ctx = testContext(db, { actor: { kind: 'system', name: 'test' }, now: () => NOW });
    const payments = await openPayments(testConfig, db, { now: () => NOW });
    const payouts = await openPayouts(testConfig, db, () => NOW);
    const results = await reconcileAccounts(
      { ...ctx, payments, payouts },
      { syncSale: () => Promise.resolve() },
    );
    expect(results).toMatchObject([
      { outcome: 'finished', opened: 0, balance: { unexplainedCents: 0 } },
      { outcome: 'finished', opened: 0, balance: { unexplainedCents: 0 } },
    ]);
    expect(results.every(({ matched }) => matched > 0)).toBe(true);
  });

  it('has in its books what the payment providers hold, apart from the differences it shows', async () => {
    const { rows } = await db.pool.query(`select
      (select sum(actual_cents - expected_cents) from breaks where state <> 'resolved') as differing,
      (select sum(amount_cents) from ledger_postings where account = 'clearing') as booked,
      (select sum(amount_cents - fee_cents) from sandbox_transactions) as held`);
    expect(rows[0].held).toBe(rows[0].booked + rows[0].differing);
  });

  it('shows a payout by hand that the first administrator may confirm, and one that the bank returned', async () => {
    const { rows } = await db.pool.query(
      `select s.payout_status, p.status, p.failure, p.method, u.email as recorded_by
        from payouts p join property_sales s on s.id = p.sale_id left join users u on u.id = p.recorded_by
        where p.bank_reference is not null or p.failure = 'returned' order by p.status`,
    );
    expect(rows).toMatchObject([
      { payout_status: 'failed', status: 'failed', failure: 'returned', recorded_by: null },
      {
        payout_status: 'processing',
        status: 'processing',
        method: 'manual',
        recorded_by: 'admin2@acre.test',
      },
    ]);
  });

  it('has given a part of a payment back to the buyer of a sale that goes on', async () => {
    const { rows } = await db.pool.query(
      `select r.status, s.escrow_status from refunds r join property_sales s on s.id = r.sale_id
        where r.amount_cents < s.sale_price_cents`,
    );
    expect(rows).toEqual([{ status: 'succeeded', escrow_status: 'in_escrow' }]);
  });

  it('uses the event and party names of the sale state machine', async () => {
    const known = Object.keys(eventLabels);
    const named = await db.q().selectFrom('sale_events').select(['event', 'actor_role']).distinct().execute();
    expect(named.filter(({ event }) => !known.includes(event))).toEqual([]);
    expect(
      named.filter(({ actor_role }) => !['buyer', 'seller', 'admin', 'system'].includes(actor_role)),
    ).toEqual([]);
  });

  it('continues receipt numbers where the demo data ends', async () => {
    const { rows } = await db.pool.query(
      `select nextval('receipt_numbers') as next, (select max(receipt_number) from property_sales) as last`,
    );
    expect(rows[0].next).toBe(rows[0].last + 1);
  });

  it('lets all demo accounts sign in with the same password', async () => {
    const rows = await db
      .q()
      .selectFrom('users')
      .innerJoin('credentials', 'credentials.user_id', 'users.id')
      .select(['credentials.password', 'users.email'])
      .where('users.email', 'like', '%@acre.test')
      .execute();
    expect(rows.map(({ email }) => email).sort()).toEqual([
      'admin2@acre.test',
      'admin@acre.test',
      'buyer2@acre.test',
      'buyer@acre.test',
      'seller2@acre.test',
      'seller@acre.test',
    ]);
    expect(await matchingHash(rows[0]?.password ?? null, 'AcreDemo!2026')).not.toBeNull();
  });

  it('does nothing the second time, even when people have signed up since', async () => {
    await db.q().insertInto('users').values({ name: 'New', email: 'new@example.org' }).execute();
    expect(await loadDemoMarket(db, { now: NOW, hashPassword, storeFile })).toBe(false);
    expect(await count('properties')).toBe(306);
  });

  it('keeps a market without the demo from starting until its accounts are disabled', async () => {
    await expect(refuseOpenDemoAccounts(db)).rejects.toThrow(
      'DEMO is off, but 30 demo accounts in this database can be opened by anyone with the published password.',
    );
    const changed = await hashPassword('A password of my own 1');
    await sql`update credentials set password = ${changed}
              where user_id = (select id from users where email = 'admin@acre.test')`.execute(db.q());
    await sql`insert into sessions (user_id, token, expires_at)
              select id, email, now() + interval '1 day' from users
              where email in ('admin@acre.test', 'buyer@acre.test')`.execute(db.q());
    expect(await disableDemoAccounts(db, NOW)).toBe(29);
    await expect(refuseOpenDemoAccounts(db)).resolves.toBeUndefined();
    expect(await count('credentials where password is not null')).toBe(1);
    expect(await count('sessions')).toBe(1);
    expect(await count(`agent_invitations where expires_at > '${NOW.toISOString()}'`)).toBe(0);
    expect(await disableDemoAccounts(db, NOW)).toBe(0);
  });

  it('leaves statistics for the query planner', async () => {
    const { rows } = await sql<{ tuples: number }>`
      select reltuples::integer as tuples from pg_class where relname = 'properties'`.execute(db.q());
    expect(rows[0]?.tuples).toBe(306);
  });
});

it('refuses a database with real accounts and leaves it unchanged', async () => {
  const db = await freshDatabase('embedded');
  try {
    await db.q().insertInto('users').values({ name: 'Real', email: 'real@example.org' }).execute();
    await expect(loadDemoMarket(db, { now: NOW, hashPassword })).rejects.toThrow(DemoRefused);
    const { rows } = await db.pool.query('select count(*)::int as n from properties');
    expect(rows[0].n).toBe(0);
  } finally {
    await db.close();
  }
});
