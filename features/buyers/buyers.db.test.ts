import { afterAll, beforeAll, expect, it } from 'vitest';
import { purchaseRefusal } from '#features/checkout/rules.ts';
import { replyInquiry } from '#features/inquiries/commands/reply-inquiry.ts';
import { sendInquiry } from '#features/inquiries/commands/send-inquiry.ts';
import { thread } from '#features/inquiries/reads.ts';
import { sessionCookie } from '#platform/auth/cookie.ts';
import { resolveSession } from '#platform/auth/session.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY, MINUTE } from '#platform/durations.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testClock, testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createSaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import type { BuyerSort } from './buyer-list.ts';
import { reinstateBuyer } from './commands/reinstate-buyer.ts';
import { suspendBuyer } from './commands/suspend-buyer.ts';
import { buyerDetails, buyerList } from './reads.ts';
import { mailStatusBadges } from './rules.ts';

await describeOnDatabase('buyers, as administrators see them', (open) => {
  let db: Database;
  let admin: UserActor;
  const clock = testClock();
  const as = (actor: UserActor) => testContext(db, { actor, now: clock.now });
  beforeAll(async () => {
    db = await open();
    admin = await createUser(db, 'admin');
  });
  afterAll(() => db.close());

  /** Who the session of a buyer says is signed in now. */
  async function signedIn({ id }: UserActor): Promise<UserActor> {
    const token = crypto.randomUUID();
    const expires_at = new Date(clock.now().getTime() + DAY);
    await db
      .q()
      .insertInto('sessions')
      .values({ user_id: id, token, expires_at, user_agent: null })
      .execute();
    const { config } = as(admin);
    const cookie = sessionCookie(config, token).split(';')[0] ?? '';
    const request = new Request(config.publicUrl, { headers: { cookie } });
    const { actor } = await resolveSession({ db, config, now: clock.now }, request);
    if (actor.kind !== 'user') throw new Error('Nobody is signed in');
    return actor;
  }
  const audited = (id: string) =>
    db
      .q()
      .selectFrom('audit_log')
      .select(['action', 'actor_id', 'before', 'after'])
      .where('entity_id', '=', id)
      .where('action', 'like', 'buyer.%')
      .orderBy('id')
      .execute();
  const mailsTo = async (address: string) =>
    (
      await db
        .q()
        .selectFrom('mail_outbox')
        .select('subject')
        .where('to_address', '=', address)
        .orderBy('created_at')
        .execute()
    ).map(({ subject }) => subject);

  it('are listed, sorted and found by name, address and id; sellers and closed accounts are not', async () => {
    const [cleo, abel, gone] = [
      await createUser(db, 'buyer'),
      await createUser(db, 'buyer'),
      await createUser(db, 'buyer'),
    ];
    const seller = await createUser(db, 'agent');
    for (const [{ id }, name, days] of [
      [cleo, 'Cleo Marsh', 2],
      [abel, 'abel_Stone', 1],
      [gone, 'Former buyer', 0],
    ] as const)
      await db
        .q()
        .updateTable('users')
        .set({ name, created_at: new Date(clock.now().getTime() - days * DAY) })
        .where('id', '=', id)
        .execute();
    await db.q().updateTable('users').set({ closed_at: clock.now() }).where('id', '=', gone.id).execute();
    const names = async (input: Parameters<typeof buyerList>[1]) =>
      (await buyerList(as(admin), input)).rows.map(({ name }) => name);
    const order = (by: BuyerSort, descending: boolean) => names({ sort: { by, descending } });
    expect(await order('name', false)).toEqual(['abel_Stone', 'Cleo Marsh']);
    expect(await order('name', true)).toEqual(['Cleo Marsh', 'abel_Stone']);
    expect(await order('joined', true)).toEqual(['abel_Stone', 'Cleo Marsh']);
    expect(await order('email', true)).toEqual((await order('email', false)).toReversed());
    expect(await names({})).toEqual(['abel_Stone', 'Cleo Marsh']);
    for (const q of ['marsh', cleo.email.toUpperCase(), cleo.id])
      expect(await names({ q })).toEqual(['Cleo Marsh']);
    expect(await names({ q: 'abel%stone' })).toEqual([]);
    expect(await names({ q: seller.email })).toEqual([]);
    expect(await buyerList(as(admin), { q: gone.id })).toMatchObject({
      rows: [{ status: 'closed' }],
      total: { count: 1, more: false },
    });
  });

  it('when suspended can sign in and read, but not buy, ask or write, until they are reinstated', async () => {
    const [buyer, seller] = [await createUser(db, 'buyer'), await createUser(db, 'agent')];
    const bystander = await createUser(db, 'buyer');
    const [asked, other] = [await createListing(db, seller.agentId), await createListing(db, seller.agentId)];
    const inquiry = await sendInquiry(as(buyer), { propertyId: asked, message: 'Hello?', key: 'a' });
    const inquiryId = inquiry.ok ? inquiry.inquiryId : '';
    expect(await suspendBuyer(as(admin), { buyerId: buyer.id, reason: ' Spam \n' })).toEqual({
      ok: true,
      name: buyer.name,
    });

    const suspended = await signedIn(buyer);
    expect(suspended.suspended).toBe(true);
    expect(await signedIn(bystander)).toMatchObject({ suspended: false });
    const ctx = as(suspended);
    const refused = { ok: false, reason: 'account_suspended' };
    expect(await sendInquiry(ctx, { propertyId: other, message: 'Hi', key: 'b' })).toEqual(refused);
    expect(await replyInquiry(ctx, { inquiryId, message: 'Hi', key: 'c' })).toEqual(refused);
    expect(await thread(ctx, inquiryId)).toMatchObject({
      reply: { allowed: false, text: 'Your account is suspended. You cannot send messages.' },
    });
    const listing = { status: 'Active', seller: { id: seller.agentId ?? '', suspended: false } } as const;
    expect(purchaseRefusal(suspended, listing)).toBe('account_suspended');
    expect(await replyInquiry(as(seller), { inquiryId, message: 'Yes?', key: 'd' })).toMatchObject({
      ok: true,
    });

    const { suspension } = await buyerDetails(as(admin), { buyerId: buyer.id });
    expect(suspension).toEqual({ at: clock.now().toISOString(), reason: 'Spam' });
    expect((await buyerList(as(admin), { suspended: true })).rows).toMatchObject([
      { id: buyer.id, status: 'suspended' },
    ]);
    clock.advance(MINUTE);
    expect(await reinstateBuyer(as(admin), { buyerId: buyer.id, reason: 'A mistake' })).toMatchObject({
      ok: true,
    });
    expect(await signedIn(buyer)).toMatchObject({ suspended: false });
    expect(await audited(buyer.id)).toEqual([
      {
        action: 'buyer.suspend',
        actor_id: admin.id,
        before: { status: 'active' },
        after: { status: 'suspended', reason: 'Spam' },
      },
      {
        action: 'buyer.reinstate',
        actor_id: admin.id,
        before: { status: 'suspended' },
        after: { status: 'active', reason: 'A mistake' },
      },
    ]);
    expect(await mailsTo(buyer.email)).toEqual(
      expect.arrayContaining(['Your account is suspended', 'Your account is no longer suspended']),
    );
    const told = await db
      .q()
      .selectFrom('live_events')
      .select('type')
      .where('audience', '=', `user:${buyer.id}`)
      .where('type', '=', 'account')
      .execute();
    expect(told).toHaveLength(2);
  });

  it('are suspended by one of two administrators, and only with a reason', async () => {
    const [buyer, second] = [await createUser(db, 'buyer'), await createUser(db, 'admin')];
    const buyerId = buyer.id;
    expect(await suspendBuyer(as(admin), { buyerId, reason: ' ' })).toEqual({ ok: false, reason: 'empty' });
    await expect(suspendBuyer(as(admin), { buyerId, reason: 'x'.repeat(2_001) })).resolves.toEqual({
      ok: false,
      reason: 'too_long',
    });
    expect(await reinstateBuyer(as(admin), { buyerId, reason: 'Fine' })).toEqual({
      ok: false,
      reason: 'unchanged',
    });
    const both = await Promise.all(
      [admin, second].map((one) => suspendBuyer(as(one), { buyerId, reason: 'Spam' })),
    );
    expect(both.filter(({ ok }) => ok)).toHaveLength(1);
    expect(both).toContainEqual({ ok: false, reason: 'unchanged' });
    expect(await audited(buyerId)).toHaveLength(1);
    const closed = await createUser(db, 'buyer');
    await db.q().updateTable('users').set({ closed_at: clock.now() }).where('id', '=', closed.id).execute();
    expect(await suspendBuyer(as(admin), { buyerId: closed.id, reason: 'Spam' })).toEqual({
      ok: false,
      reason: 'closed',
    });
  });

  it('have their inquiries, mails and sessions in their details', async () => {
    const [buyer, seller] = [await createUser(db, 'buyer'), await createUser(db, 'agent')];
    const propertyId = await createListing(db, seller.agentId, { address: '12 Quarry Road' });
    await sendInquiry(as(buyer), { propertyId, message: 'Hello?', key: 'a' });
    await signedIn(buyer);
    await db
      .q()
      .insertInto('mail_outbox')
      .values(
        (['sent', 'dead', 'queued'] as const).map((status, at) => ({
          idempotency_key: crypto.randomUUID(),
          to_address: buyer.email,
          subject: status,
          text_body: '',
          html_body: '',
          status,
          last_error: '550 no such user',
          created_at: new Date(clock.now().getTime() - at * MINUTE),
        })),
      )
      .execute();
    const details = await buyerDetails(as(admin), { buyerId: buyer.id });
    expect(details.inquiries).toMatchObject({
      rows: [{ address: '12 Quarry Road', state: 'pending' }],
      total: { count: 1 },
    });
    expect(details.mails.rows.map(({ subject, problem }) => [subject, problem])).toEqual([
      ['sent', null],
      ['dead', '550 no such user'],
      ['queued', null],
    ]);
    // Nothing tells us whether an email has arrived.
    expect(details.mails.rows.map(({ status }) => mailStatusBadges[status].label)).toEqual([
      'Sent',
      'Failed',
      'Waiting',
    ]);
    expect(details.sessions.total.count).toBe(1);
    expect(details.sales).toEqual({ rows: [], total: { count: 0, more: false } });
  });

  it('have their own purchases in their details, and nobody else’s', async () => {
    const sales = await createSaleScenario(db, { clock });
    const own = await sales.createPaidSale(await sales.createListing({ address: '3 Mill Lane' }));
    const others = await sales.checkout(sales.otherBuyer, await sales.createListing());
    const salesOf = async ({ id }: UserActor) => (await buyerDetails(as(admin), { buyerId: id })).sales;
    expect(await salesOf(sales.buyer)).toMatchObject({
      rows: [{ id: own, address: '3 Mill Lane', payment: 'completed' }],
      total: { count: 1, more: false },
    });
    expect(await salesOf(sales.otherBuyer)).toMatchObject({
      rows: [{ id: others.saleId }],
      total: { count: 1, more: false },
    });
  });
});
