import { AsyncResource } from 'node:async_hooks';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signIn } from '#features/accounts/commands/sign-in.ts';
import { beginPurchase } from '#features/checkout/commands/begin-purchase.ts';
import { sendInquiry } from '#features/inquiries/commands/send-inquiry.ts';
import { nameWallet } from '#features/nfts/commands/name-wallet.ts';
import { rememberTimeZone } from '#features/notifications/commands/remember-time-zone.ts';
import { saveSearch } from '#features/saved-searches/commands/save-search.ts';
import { setWatch } from '#features/watches/commands/set-watch.ts';
import { resolveSession } from '#platform/auth/session.ts';
import type { Ctx, UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { queueMail } from '#platform/outbox/outbox.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import {
  contextForCookie,
  createAccount,
  mailbox,
  PASSWORD,
  signInCookie,
  visitorContext,
} from '#tests/support/fixtures/accounts.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { closeAccount } from './commands/close-account.ts';
import { erasurePolicy } from './erasure-policy.ts';
import { exportOwnData } from './reads.ts';
import { sections } from './sections.ts';

const SECRET = 'nobody-else-may-read-this';

await describeOnDatabase('personal data', (open, kind) => {
  let db: Database;
  let seller: UserActor;
  let scenario: SaleScenario;
  beforeAll(async () => {
    db = await open();
    scenario = await createSaleScenario(db);
    seller = await createUser(db, 'agent');
  });
  afterAll(() => db.close());

  let userCount = 0;
  async function createSignedInUser(): Promise<{ ctx: Ctx; user: UserActor; email: string; cookie: string }> {
    userCount += 1;
    const email = `person-${userCount}-${SECRET}@example.test`;
    await createAccount(db, email);
    const cookie = await signInCookie(db, email);
    const { ctx } = await contextForCookie(db, cookie);
    if (ctx.actor.kind !== 'user') throw new Error('not signed in');
    return {
      ctx: { ...ctx, config: { ...ctx.config, relaxedLimits: true } },
      user: ctx.actor,
      email,
      cookie,
    };
  }
  async function exportData(
    ctx: Ctx,
  ): Promise<Record<string, unknown[]> & { account: Record<string, unknown> }> {
    let text = '';
    for await (const piece of exportOwnData(ctx)) text += piece;
    return JSON.parse(text);
  }
  /** Creates data of a user in every table that users can write to. */
  async function createActivity(
    { ctx, user }: { ctx: Ctx; user: UserActor },
    propertyId: string,
  ): Promise<string> {
    await setWatch(ctx, { propertyId, watched: true });
    await saveSearch(ctx, { name: 'Mine', cadence: 'daily', query: 'max=900000' });
    const sent = await sendInquiry(ctx, { propertyId, message: `Is it quiet? ${user.email}`, key: 'k' });
    if (!sent.ok) throw new Error(sent.reason);
    const q = db.q();
    const at = new Date();
    await q
      .insertInto('property_views')
      .values({ user_id: user.id, property_id: propertyId, viewed_at: at })
      .execute();
    await q
      .insertInto('property_view_events')
      .values({ user_id: user.id, property_id: propertyId, viewer: 'v' })
      .execute();
    await q.insertInto('search_events').values({ user_id: user.id, query: 'lake', results: 3 }).execute();
    const { id: inquiry_id } = await q
      .selectFrom('property_inquiries')
      .select('id')
      .where('user_id', '=', user.id)
      .executeTakeFirstOrThrow();
    await q
      .insertInto('inquiry_messages')
      .values({ inquiry_id, sender_id: seller.id, message: 'Very quiet.' })
      .execute();
    await q
      .insertInto('inquiry_reports')
      .values({ inquiry_id, reported_by: user.id, reason: 'Rude' })
      .execute();
    await q
      .insertInto('listing_reports')
      .values({
        property_id: propertyId,
        reported_by: user.id,
        reason: 'wrong',
        details: 'No lake',
        key: user.id,
      })
      .execute();
    await q.insertInto('user_blocks').values({ user_id: user.id, blocked_id: seller.id }).execute();
    await q.insertInto('notification_preferences').values({ user_id: user.id, digest_hour: 3 }).execute();
    await q
      .insertInto('property_notifications')
      .values({
        user_id: user.id,
        property_id: propertyId,
        notification_type: 'price_change',
        message: 'The price went down',
      })
      .execute();
    return inquiry_id;
  }

  it('covers every reference to a user in the schema', async () => {
    const { rows } = await db.pool.query<{ place: string }>(`
      select c.conrelid::regclass::text || '.' || a.attname as place from pg_constraint c
      join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
      where c.contype = 'f' and c.confrelid = 'users'::regclass and c.conparentid = 0 order by 1`);
    expect(rows.map(({ place }) => place)).toEqual(Object.keys(erasurePolicy).sort());
  });

  it('exports all data of the user, in order, and nothing of others', async () => {
    const me = await createSignedInUser();
    const other = await createSignedInUser();
    const listingId = await createListing(db, seller.agentId, { address: '31 Own Data Row' });
    await createActivity(me, listingId);
    await createActivity(other, listingId);
    const began = await beginPurchase(
      { ...me.ctx, payments: scenario.payments },
      { propertyId: listingId, method: 'card', expectedCents: null, key: 'x' },
    );
    expect(began).toMatchObject({ ok: true });
    const data = await exportData(me.ctx);
    expect(data.account).toMatchObject({
      email: me.email,
      role: 'buyer',
      preferences: { digest_hour: 3 },
    });
    const expected: Record<string, unknown> = {
      watchedProperties: { property: '31 Own Data Row, Cedar Hollow, OR 97031' },
      viewedProperties: { propertyId: listingId },
      views: { propertyId: listingId },
      searches: { words: 'lake', results: 3 },
      savedSearches: { name: 'Mine', to: 900_000 },
      notifications: { message: 'The price went down' },
      inquiries: { message: `Is it quiet? ${me.email}`, status: 'resolved' },
      messages: { from: 'the other side', message: 'Very quiet.' },
      reports: { reason: 'Rude' },
      listingReports: { reason: 'wrong', details: 'No lake' },
      purchases: { price: 742_000, payment: 'pending', events: [{ event: 'begin', by: 'you' }] },
      mails: { subject: 'Confirm your email address' },
    };
    for (const [name, row] of Object.entries(expected)) expect(data[name], name).toMatchObject([row]);
    expect(data.blocks).toHaveLength(1);
    expect(data.sessions).toHaveLength(1);
    expect(Object.keys(data)).toEqual(['writtenAt', 'account', ...Object.keys(sections)]);
    const text = JSON.stringify(data);
    for (const foreign of [other.email, other.user.id, seller.email, seller.name])
      expect(text).not.toContain(foreign);
  });

  it('exports nothing of others to those who have done nothing', async () => {
    const active = await createSignedInUser();
    const listingId = await scenario.createListing();
    await createActivity(active, listingId);
    const search = await db
      .q()
      .selectFrom('saved_searches')
      .select('id')
      .where('user_id', '=', active.user.id)
      .executeTakeFirstOrThrow();
    const [at, property_id] = [new Date(), listingId];
    await db
      .q()
      .insertInto('saved_search_matches')
      .values({ search_id: search.id, property_id, matched_at: at, mail: 'none' })
      .execute();
    await db
      .q()
      .insertInto('saved_search_mails')
      .values({ user_id: active.user.id, property_id, mailed_at: at })
      .execute();
    const { saleId } = await scenario.checkout(scenario.buyer, listingId);
    await db
      .q()
      .insertInto('payouts')
      .values({
        sale_id: saleId,
        agent_id: String(scenario.seller.agentId),
        amount_cents: 1,
        method: 'manual',
        destination: 'x',
        idempotency_key: saleId,
      })
      .execute();
    const seen = await exportData(scenario.contextFor(scenario.seller));
    for (const section of ['listings', 'sales', 'payouts']) expect(seen[section], section).not.toEqual([]);
    for (const role of ['buyer', 'agent'] as const) {
      const newcomer = await createUser(db, role);
      const { writtenAt: _at, account, ...data } = await exportData(scenario.contextFor(newcomer));
      expect(account).toMatchObject({ email: newcomer.email });
      expect(Object.entries(data).filter(([, rows]) => rows.length > 0)).toEqual([]);
    }
  });

  it('exports thousands of rows, including rows with the same timestamp', async () => {
    const me = await createSignedInUser();
    await db.pool.query(
      `insert into search_events (user_id, query, created_at)
       select $1, 'n' || n, timestamptz '2026-01-01' + (n / 700) * interval '1 hour' from generate_series(1, 1801) n`,
      [me.user.id],
    );
    const words = (await exportData(me.ctx)).searches?.map((row) => (row as { words: string }).words);
    expect(new Set(words).size).toBe(1801);
    expect(words).toHaveLength(1801);
  });

  it("leaves buyers' messages and names out of a seller's export", async () => {
    const me = await createSignedInUser();
    const inquiry = await createActivity(me, await createListing(db, seller.agentId));
    const { account, messages, listings } = await exportData(visitorContext(db, { actor: seller }));
    expect(account).toMatchObject({ role: 'agent', seller: { email: seller.email } });
    expect(messages).toContainEqual(
      expect.objectContaining({ inquiry, from: 'you', message: 'Very quiet.' }),
    );
    expect(listings?.length).toBeGreaterThan(0);
    expect(JSON.stringify({ account, messages, listings })).not.toContain(me.email);
  });

  it('closes an account: deletes private data, anonymises what concerns others, and blocks signing in', async () => {
    const me = await createSignedInUser();
    await rememberTimeZone(me.ctx, { timeZone: 'Europe/Lisbon' });
    const listingId = await createListing(db, seller.agentId);
    const inquiry = await createActivity(me, listingId);
    const sold = await scenario.begin(me.user, await scenario.createListing());
    if (!sold.ok) throw new Error(sold.reason);
    const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
    expect(await nameWallet(me.ctx, { saleId: sold.saleId, address })).toEqual({ ok: true });
    expect(await closeAccount(me.ctx, { password: '' })).toMatchObject({
      ok: false,
      reason: 'password',
      text: 'Password is required',
    });
    expect(await closeAccount(me.ctx, { password: 'wrong' })).toMatchObject({
      ok: false,
      reason: 'password',
    });
    expect(await closeAccount(me.ctx, { password: PASSWORD })).toEqual({ ok: false, reason: 'live_sale' });
    await db
      .q()
      .updateTable('property_sales')
      .set({ stripe_payment_status: 'failed', escrow_status: 'cancelled' })
      .where('id', '=', sold.saleId)
      .execute();

    expect(await closeAccount(me.ctx, { password: PASSWORD })).toMatchObject({
      ok: true,
      cookies: [expect.stringContaining('Max-Age=0')],
    });
    const row = await db
      .q()
      .selectFrom('users')
      .selectAll()
      .where('id', '=', me.user.id)
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({
      name: 'Former buyer',
      email: `${me.user.id}@closed.invalid`,
      email_verified: false,
    });
    expect(row.closed_at).not.toBeNull();
    const profile = await db
      .q()
      .selectFrom('profiles')
      .select(['time_zone', 'wallet_address', 'suspension_reason'])
      .where('id', '=', me.user.id)
      .executeTakeFirstOrThrow();
    expect(profile).toEqual({ time_zone: null, wallet_address: null, suspension_reason: null });
    for (const [place, policy] of Object.entries(erasurePolicy)) {
      const [table, column] = place.split('.');
      const { rows } = await db.pool.query(`select from ${table} where ${column} = $1`, [me.user.id]);
      if (policy !== 'retained') expect(rows, place).toHaveLength(0);
      if (
        ['property_sales.buyer_id', 'property_inquiries.user_id', 'inquiry_reports.reported_by'].includes(
          place,
        )
      )
        expect(rows, place).toHaveLength(1);
    }
    expect(
      (await db.pool.query('select from search_events where query = $1', ['lake'])).rows.length,
    ).toBeGreaterThan(0);
    const texts = await db
      .q()
      .selectFrom('inquiry_messages')
      .select('message')
      .where('inquiry_id', '=', inquiry)
      .execute();
    expect(texts).toEqual([{ message: 'Very quiet.' }]);
    expect(await mailbox(db, me.email)).toMatchObject([
      { subject: 'Confirm your email address' },
      { subject: 'Your account is closed' },
    ]);

    const request = new Request('http://localhost/', { headers: { cookie: me.cookie } });
    expect((await resolveSession(me.ctx, request)).actor.kind).toBe('visitor');
    const again = await signIn(visitorContext(db), {
      loginRole: 'buyer',
      email: me.email,
      password: PASSWORD,
      userAgent: null,
      currentSessionId: null,
    });
    expect(again).toMatchObject({ ok: false, reason: 'wrong_credentials' });
    const audits = await db
      .q()
      .selectFrom('audit_log')
      .select('action')
      .where('entity_id', '=', me.user.id)
      .execute();
    expect(audits).toContainEqual({ action: 'account.close' });
    const queued = await queueMail(me.ctx, {
      idempotencyKey: 'later',
      to: { address: row.email },
      subject: 's',
      text: 't',
      html: 'h',
    });
    expect(queued).toBe(false);
    // The address is free again for a new, separate account.
    expect(await createAccount(db, me.email)).not.toBe(me.user.id);
  });

  // The embedded database has one connection, on which nothing else runs while a transaction does.
  it.skipIf(kind === 'embedded')('closes an account while the row of another one is locked', async () => {
    const [{ ctx }, other] = [await createSignedInUser(), await createSignedInUser()];
    const waits = async (): Promise<boolean> => {
      const { rows } = await sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(db.q());
      return rows.length > 0;
    };
    // Bound here, so that it is no part of the transaction below.
    const close = AsyncResource.bind(() => closeAccount(ctx, { password: PASSWORD }));
    await db.tx(async () => {
      await db.q().selectFrom('users').select('id').where('id', '=', other.user.id).forUpdate().execute();
      let isClosed = false;
      const closing = close().then((result) => {
        isClosed = result.ok;
      });
      await expect.poll(async () => isClosed || (await waits()), { timeout: 15_000 }).toBe(true);
      expect(isClosed).toBe(true);
      await closing;
    });
  });

  it('lets only one of a concurrent purchase and account closing succeed', async () => {
    for (let round = 0; round < 4; round++) {
      const me = await createSignedInUser();
      const listingId = await scenario.createListing();
      const [closed, began] = await Promise.allSettled([
        closeAccount(me.ctx, { password: PASSWORD }),
        (async () => {
          // Comparing the password takes time.
          await new Promise((done) => setTimeout(done, 20 * round));
          return beginPurchase(
            { ...me.ctx, payments: scenario.payments },
            { propertyId: listingId, method: 'card', expectedCents: null, key: 'k' },
          );
        })(),
      ]);
      const isClosed = closed.status === 'fulfilled' && closed.value.ok;
      const hasBegun = began.status === 'fulfilled' && began.value.ok;
      expect([isClosed, hasBegun].filter(Boolean), `round ${round}`).toHaveLength(1);
    }
  });
});
