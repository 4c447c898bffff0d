import { afterAll, beforeAll, expect, it } from 'vitest';
import { signIn } from '#features/accounts/commands/sign-in.ts';
import { sendInquiry } from '#features/inquiries/commands/send-inquiry.ts';
import { beginPurchase } from '#features/purchases/commands/begin-purchase.ts';
import { saveSearch } from '#features/saved-searches/commands/save-search.ts';
import { setWatch } from '#features/watches/commands/set-watch.ts';
import { actorOf } from '#platform/auth/session.ts';
import type { Ctx, UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { queueMail } from '#platform/outbox/outbox.ts';
import {
  contextOf,
  cookieOf,
  freshVisitor,
  mailbox,
  openAccount,
  PASSWORD,
} from '#tests/support/accounts.ts';
import { describeOnEachDatabase } from '#tests/support/database.ts';
import { createListing } from '#tests/support/listings.ts';
import { createPerson } from '#tests/support/people.ts';
import { type SaleBench, saleBench } from '#tests/support/sale-bench.ts';
import { closeAccount } from './commands/close-account.ts';
import { fates } from './fates.ts';
import { ownData } from './reads.ts';
import { sections } from './sections.ts';

const SECRET = 'nobody-else-may-read-this';

await describeOnEachDatabase('personal data', (open) => {
  let db: Database;
  let seller: UserActor;
  let bench: SaleBench;
  beforeAll(async () => {
    db = await open();
    bench = await saleBench(db);
    seller = await createPerson(db, 'agent');
  });
  afterAll(() => db.close());

  let people = 0;
  async function someone(): Promise<{ ctx: Ctx; user: UserActor; email: string; cookie: string }> {
    people += 1;
    const email = `person-${people}-${SECRET}@example.test`;
    await openAccount(db, email);
    const cookie = await cookieOf(db, email);
    const { ctx } = await contextOf(db, cookie);
    if (ctx.actor.kind !== 'user') throw new Error('not signed in');
    return {
      ctx: { ...ctx, config: { ...ctx.config, relaxedLimits: true } },
      user: ctx.actor,
      email,
      cookie,
    };
  }
  async function everything(
    ctx: Ctx,
  ): Promise<Record<string, unknown[]> & { account: Record<string, unknown> }> {
    let text = '';
    for await (const piece of ownData(ctx)) text += piece;
    return JSON.parse(text);
  }
  /** Leaves something of a person in as many places as visitors can reach. */
  async function live({ ctx, user }: { ctx: Ctx; user: UserActor }, propertyId: string): Promise<string> {
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

  it('names every reference to a person that the schema has', async () => {
    const { rows } = await db.pool.query<{ place: string }>(`
      select c.conrelid::regclass::text || '.' || a.attname as place from pg_constraint c
      join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
      where c.contype = 'f' and c.confrelid = 'users'::regclass order by 1`);
    expect(rows.map(({ place }) => place)).toEqual(Object.keys(fates).sort());
  });

  it('writes out all of it, in order, and nothing of others', async () => {
    const me = await someone();
    const other = await someone();
    const house = await createListing(db, seller.agentId, { address: '31 Own Data Row' });
    await live(me, house);
    await live(other, house);
    const began = await beginPurchase(
      me.ctx,
      { propertyId: house, method: 'card', expectedCents: null, key: 'x' },
      bench.payments,
    );
    expect(began).toMatchObject({ ok: true });
    const data = await everything(me.ctx);
    expect(data.account).toMatchObject({ email: me.email, role: 'buyer', preferences: { digest_hour: 3 } });
    const expected: Record<string, unknown> = {
      watchedProperties: { property: '31 Own Data Row, Cedar Hollow, OR 97031' },
      viewedProperties: { propertyId: house },
      views: { propertyId: house },
      searches: { words: 'lake', results: 3 },
      savedSearches: { name: 'Mine', to: 900_000 },
      notifications: { message: 'The price went down' },
      inquiries: { message: `Is it quiet? ${me.email}`, status: 'resolved' },
      messages: { from: 'the other side', message: 'Very quiet.' },
      reports: { reason: 'Rude' },
      purchases: { price: 742_000, payment: 'pending', events: [{ event: 'begin', by: 'you' }] },
      mails: { subject: 'Confirm your e-mail address' },
    };
    for (const [name, row] of Object.entries(expected)) expect(data[name], name).toMatchObject([row]);
    expect(data.blocks).toHaveLength(1);
    expect(data.sessions).toHaveLength(1);
    expect(Object.keys(data)).toEqual(['writtenAt', 'account', ...Object.keys(sections)]);
    const text = JSON.stringify(data);
    for (const foreign of [other.email, other.user.id, seller.email, seller.name])
      expect(text).not.toContain(foreign);
  });

  it('goes on through thousands of rows, also of the same moment', async () => {
    const me = await someone();
    await db.pool.query(
      `insert into search_events (user_id, query, created_at)
       select $1, 'n' || n, timestamptz '2026-01-01' + (n / 700) * interval '1 hour' from generate_series(1, 1801) n`,
      [me.user.id],
    );
    const words = (await everything(me.ctx)).searches?.map((row) => (row as { words: string }).words);
    expect(new Set(words).size).toBe(1801);
    expect(words).toHaveLength(1801);
  });

  it("leaves buyers' words and names out of a seller's file", async () => {
    const me = await someone();
    const inquiry = await live(me, await createListing(db, seller.agentId));
    const { account, messages, listings } = await everything(freshVisitor(db, { actor: seller }));
    expect(account).toMatchObject({ role: 'agent', seller: { email: seller.email } });
    expect(messages).toContainEqual(
      expect.objectContaining({ inquiry, from: 'you', message: 'Very quiet.' }),
    );
    expect(listings?.length).toBeGreaterThan(0);
    expect(JSON.stringify({ account, messages, listings })).not.toContain(me.email);
  });

  it('closes an account: what is private goes, what concerns others stays without a name, and nobody signs in', async () => {
    const me = await someone();
    const house = await createListing(db, seller.agentId);
    const inquiry = await live(me, house);
    const sold = await bench.begin(me.user, await bench.house());
    if (!sold.ok) throw new Error(sold.reason);
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
    for (const [place, fate] of Object.entries(fates)) {
      const [table, column] = place.split('.');
      const { rows } = await db.pool.query(`select from ${table} where ${column} = $1`, [me.user.id]);
      if (fate !== 'kept') expect(rows, place).toHaveLength(0);
      if (['property_sales', 'property_inquiries', 'inquiry_reports'].includes(table ?? ''))
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
      { subject: 'Confirm your e-mail address' },
      { subject: 'Your account is closed' },
    ]);

    const request = new Request('http://localhost/', { headers: { cookie: me.cookie } });
    expect((await actorOf(me.ctx, request)).actor.kind).toBe('visitor');
    const again = await signIn(freshVisitor(db), {
      door: 'buyer',
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
    // The address is free again, and the new account is another one.
    expect(await openAccount(db, me.email)).not.toBe(me.user.id);
  });

  it('a purchase and a closing at the same moment: one of them wins', async () => {
    for (let round = 0; round < 4; round++) {
      const me = await someone();
      const house = await bench.house();
      const [closed, began] = await Promise.allSettled([
        closeAccount(me.ctx, { password: PASSWORD }),
        (async () => {
          // The password takes its time to be compared.
          await new Promise((done) => setTimeout(done, 20 * round));
          return beginPurchase(
            me.ctx,
            { propertyId: house, method: 'card', expectedCents: null, key: 'k' },
            bench.payments,
          );
        })(),
      ]);
      const isClosed = closed.status === 'fulfilled' && closed.value.ok;
      const hasBegun = began.status === 'fulfilled' && began.value.ok;
      expect([isClosed, hasBegun].filter(Boolean), `round ${round}`).toHaveLength(1);
    }
  });
});
