import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signIn } from '#features/accounts/commands/sign-in.ts';
import { admitApiKey } from '#features/api-keys/commands/admit-api-key.ts';
import { createApiKey } from '#features/api-keys/commands/create-api-key.ts';
import type { Ctx, UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { Unauthenticated } from '#platform/errors.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { createAccount, mailbox, PASSWORD, visitorContext } from '#tests/support/fixtures/accounts.ts';
import { testClock } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createSaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { createRegistrationLink } from './commands/create-registration-link.ts';
import { deleteSeller } from './commands/delete-seller.ts';
import { inviteSeller } from './commands/invite-seller.ts';
import { setCommissionRate } from './commands/set-commission-rate.ts';
import { setSellerPhone } from './commands/set-seller-phone.ts';
import { reactivateSeller, suspendSeller } from './commands/set-suspension.ts';
import { managedSeller, sellerRemoval } from './reads.ts';

await describeOnDatabase('administrators and sellers', (open) => {
  let db: Database;
  let admins: [Ctx, Ctx];
  beforeAll(async () => {
    db = await open();
    const [one, other] = await Promise.all([createUser(db, 'admin'), createUser(db, 'admin')]);
    admins = [visitorContext(db, { actor: one }), visitorContext(db, { actor: other })];
    // Of somebody else, which keeps no other seller and counts for none.
    const elsewhere = await createSaleScenario(db, { clock: testClock() });
    const saleId = await elsewhere.createPaidSale(await elsewhere.createListing({}));
    await elsewhere.act(elsewhere.buyer, saleId, 'confirm_closing');
  });
  afterAll(() => db.close());

  const record = (id: string | null) =>
    db.q().selectFrom('agents').selectAll().where('id', '=', id).executeTakeFirst();
  const audits = async (id: string | null) =>
    (
      await db
        .q()
        .selectFrom('audit_log')
        .select(['action', 'before', 'after'])
        .where('entity', '=', 'agent')
        .where('entity_id', '=', id)
        .orderBy('id')
        .execute()
    ).map(({ action, before, after }) => ({ action, before, after }));
  const newSeller = () => createUser(db, 'agent') as Promise<UserActor & { agentId: string }>;
  const listing = (id: string) =>
    db
      .q()
      .selectFrom('properties')
      .select(['status', 'is_public'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
  /** Both administrators do the same at once. */
  const both = <Result>(act: (ctx: Ctx) => Promise<Result>) => Promise.all(admins.map(act));
  let count = 0;
  const address = () => {
    count += 1;
    return `managed${count}-${Date.now()}@example.test`;
  };

  it('invite one seller when both add the same address at once', async () => {
    const email = address();
    const results = await both((ctx) =>
      inviteSeller(ctx, { name: 'Ines Calloway', email, phone: '(425) 555-0148' }),
    );
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    expect(results.find(({ ok }) => !ok)).toEqual({ ok: false, reason: 'duplicate' });
    expect(await mailbox(db, email)).toHaveLength(1);
    const rows = await db.q().selectFrom('agents').selectAll().where('email', '=', email).execute();
    expect(rows).toMatchObject([{ phone: '+14255550148', display_status: 'pending', commission_rate: null }]);
    const [first] = rows;
    const state = async () => (await managedSeller(admins[0], first?.id ?? '')).invitation;
    expect(await state()).toBe('queued');
    const setMail = (status: 'sent' | 'dead') =>
      db.q().updateTable('mail_outbox').set({ status }).where('to_address', '=', email).execute();
    await setMail('sent');
    expect(await state()).toBe('sent');
    await setMail('dead');
    expect(await state()).toBe('bounced');
    // An inquiry brings a link along, which is no invitation that has arrived.
    const system: Ctx = { ...admins[0], actor: { kind: 'system', name: 'inquiry' } };
    await createRegistrationLink(system, { sellerId: first?.id ?? '' });
    expect(await state()).toBe('bounced');
    expect(await inviteSeller(admins[0], { name: 'Ines Calloway', email: address(), phone: '12' })).toEqual({
      ok: false,
      reason: 'invalid',
      errors: { phone: 'Enter a phone number with its area code, such as (425) 555-0148' },
    });
  });

  it('set a commission rate, and not over one that somebody else has just set', async () => {
    const [{ agentId }, other] = [await newSeller(), await newSeller()];
    const set = (rate: string, seen: string, ctx = admins[0]) =>
      setCommissionRate(ctx, { sellerId: agentId, rate, seen });
    const results = await Promise.all([set('78.50', ''), set('82.5', '', admins[1])]);
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    expect(results.find(({ ok }) => !ok)).toEqual({ ok: false, reason: 'changed' });
    const { commission_rate: rate } = (await record(agentId)) ?? {};
    expect([78.5, 82.5]).toContain(rate);
    expect(await record(other.agentId)).toMatchObject({ commission_rate: null });
    expect(await set('100.5', String(rate))).toEqual({
      ok: false,
      reason: 'invalid',
      error: 'Commission rate must be between 0 and 100',
    });
    expect(await set('', String(rate))).toEqual({ ok: true, rate: null });
    // Whoever wants what is there already is not in anybody's way.
    expect(await set('', '60')).toEqual({ ok: true, rate: null });
    expect(await audits(agentId)).toEqual([
      { action: 'seller.set_commission', before: { commissionRate: null }, after: { commissionRate: rate } },
      { action: 'seller.set_commission', before: { commissionRate: rate }, after: { commissionRate: null } },
    ]);
  });

  it('keep a phone number in one form', async () => {
    const [{ agentId }, other] = [await newSeller(), await newSeller()];
    const set = (phone: string, seen: string, ctx = admins[0]) =>
      setSellerPhone(ctx, { sellerId: agentId, phone, seen });
    expect(await set('425.555.0148', '')).toEqual({ ok: true, phone: '+14255550148' });
    expect(await record(other.agentId)).toMatchObject({ phone: null });
    expect(await set('425 555 0199', '', admins[1])).toEqual({ ok: false, reason: 'changed' });
    expect(await set('nobody', '')).toMatchObject({ ok: false, reason: 'invalid' });
    expect(await set('', '+14255550148', admins[1])).toEqual({ ok: true, phone: null });
    expect((await audits(agentId)).map(({ action }) => action)).toEqual([
      'seller.set_phone',
      'seller.set_phone',
    ]);
    const store = (phone: string) =>
      db.q().updateTable('agents').set({ phone }).where('id', '=', agentId).execute();
    await expect(store('425 555 0148')).rejects.toThrow('agents_phone');
  });

  it('suspend a seller, which hides the listings, and reactivate, which shows exactly those again', async () => {
    const { agentId, email } = await newSeller();
    const [shown, withdrawn] = await Promise.all(
      (['Active', 'withdrawn'] as const).map((status) => createListing(db, agentId, { status })),
    );
    const input = { sellerId: agentId, reason: '  Three listings with the same photographs.  ' };
    expect(await suspendSeller(admins[0], { ...input, reason: '   ' })).toEqual({
      ok: false,
      reason: 'no_reason',
    });
    const results = await both((ctx) => suspendSeller(ctx, input));
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    expect(results.find(({ ok }) => !ok)).toEqual({ ok: false, reason: 'already' });
    expect(await listing(shown ?? '')).toEqual({ status: 'Active', is_public: false });
    expect(await managedSeller(admins[0], agentId)).toMatchObject({
      status: 'suspended',
      statusReason: 'Three listings with the same photographs.',
    });
    const again = await both((ctx) => reactivateSeller(ctx, { ...input, reason: 'Explained.' }));
    expect(again.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await listing(shown ?? '')).toEqual({ status: 'Active', is_public: true });
    expect(await listing(withdrawn ?? '')).toEqual({ status: 'withdrawn', is_public: false });
    expect(await record(agentId)).toMatchObject({ status: 'active', status_reason: null });
    expect((await mailbox(db, email)).map(({ subject }) => subject)).toEqual([
      'Your seller account is suspended',
      'Your seller account is active again',
    ]);
    expect((await mailbox(db, email))[0]?.text).toContain('Three listings with the same photographs.');
    expect(await audits(agentId)).toMatchObject([
      { action: 'seller.suspend', before: { status: 'active' }, after: { status: 'suspended' } },
      { action: 'seller.reactivate', before: { status: 'suspended' }, after: { status: 'active' } },
    ]);
  });

  it('delete a seller who never had a listing, with the account', async () => {
    const email = address();
    await createAccount(db, email, 'agent');
    const { id, user_id } = await db
      .q()
      .selectFrom('agents')
      .select(['id', 'user_id'])
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    expect(await sellerRemoval(admins[0], id)).toEqual({ way: 'delete' });
    expect(await deleteSeller(admins[0], { sellerId: id, way: 'archive' })).toEqual({
      ok: false,
      reason: 'changed',
    });
    const results = await Promise.allSettled(
      admins.map((ctx) => deleteSeller(ctx, { sellerId: id, way: 'delete' })),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { name: 'NotFound' },
    });
    expect(await record(id)).toBeUndefined();
    const closed = await db
      .q()
      .selectFrom('audit_log')
      .select('entity_id')
      .where('action', '=', 'account.close')
      .where('entity_id', '=', user_id)
      .execute();
    expect(closed).toHaveLength(1);
    expect(await trySignIn(email)).toMatchObject({ ok: false, reason: 'wrong_credentials' });
    const user = await db
      .q()
      .selectFrom('users')
      .select('email')
      .where('id', '=', user_id)
      .executeTakeFirstOrThrow();
    expect(user.email).not.toBe(email);
    expect((await audits(id)).at(-1)).toMatchObject({
      action: 'seller.delete',
      before: { email, status: 'active' },
      after: { status: null, registered: null },
    });
    // The address is free again.
    expect(await inviteSeller(admins[0], { name: 'Ines Calloway', email })).toMatchObject({ ok: true });
  });

  it('delete a seller who never had a listing, with API keys and an account for payouts', async () => {
    const [seller, other] = await Promise.all([newSeller(), newSeller()]);
    const withKeyAndAccount = async (actor: typeof seller) => {
      const input = { name: 'Office', scopes: ['listings'], perMinute: 60 };
      const key = await createApiKey(visitorContext(db, { actor }), input);
      const account = { provider: 'sandbox-connect', livemode: false, ref: `acct_${actor.agentId}` };
      await db
        .q()
        .insertInto('seller_accounts')
        .values({ agent_id: actor.agentId, ...account, name: actor.name, email: actor.email })
        .execute();
      return key.ok ? key.secret : '';
    };
    const [secret, kept] = [await withKeyAndAccount(seller), await withKeyAndAccount(other)];
    expect(await admitApiKey(visitorContext(db), { secret })).toMatchObject({ agentId: seller.agentId });
    const way = 'delete';
    expect(await deleteSeller(admins[0], { sellerId: seller.agentId, way })).toEqual({ ok: true, way });
    expect(await record(seller.agentId)).toBeUndefined();
    expect((await audits(seller.agentId)).at(-1)).toMatchObject({
      action: 'seller.delete',
      before: { stripeAccounts: [`acct_${seller.agentId}`] },
    });
    await expect(admitApiKey(visitorContext(db), { secret })).rejects.toThrow(Unauthenticated);
    await expect(admitApiKey(visitorContext(db), { secret: kept })).resolves.toMatchObject({
      agentId: other.agentId,
    });
    const { rows } = await db.pool.query('select agent_id from seller_accounts');
    expect(rows).toContainEqual({ agent_id: other.agentId });
  });

  it('archive a seller with listings: signed out, everything withdrawn, all of it kept', async () => {
    const email = address();
    await createAccount(db, email, 'agent');
    expect(await trySignIn(email)).toMatchObject({ ok: true });
    const { id } = await db
      .q()
      .selectFrom('agents')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    const statuses = ['Active', 'pending', 'rejected', 'Sold', 'withdrawn'] as const;
    const ids = await Promise.all(statuses.map((status) => createListing(db, id, { status })));
    const deleted = await createListing(db, id, { status: 'Active', deleted_at: new Date() });
    const otherEmail = address();
    await createAccount(db, otherEmail, 'agent');
    await trySignIn(otherEmail);
    const other = await db
      .q()
      .selectFrom('agents')
      .select('id')
      .where('email', '=', otherEmail)
      .executeTakeFirstOrThrow();
    const theirs = await createListing(db, other.id, { status: 'Active' });
    await db
      .q()
      .insertInto('agent_invitations')
      .values(
        [id, other.id].flatMap((agent_id) =>
          [null, new Date()].map((used_at) => ({
            agent_id,
            used_at,
            token_hash: randomUUID(),
            expires_at: new Date(),
          })),
        ),
      )
      .execute();
    const invitations = async (agentId: string) =>
      (
        await db
          .q()
          .selectFrom('agent_invitations')
          .select('used_at')
          .where('agent_id', '=', agentId)
          .execute()
      ).map(({ used_at }) => (used_at ? 'used' : 'open'));
    expect(await sellerRemoval(admins[0], id)).toEqual({
      way: 'archive',
      listings: 5,
      toWithdraw: 3,
      sales: 0,
    });
    expect(await deleteSeller(admins[0], { sellerId: id, way: 'delete' })).toEqual({
      ok: false,
      reason: 'changed',
    });
    await expect(deleteSeller(admins[0], { sellerId: id, way: 'archive' })).resolves.toEqual({
      ok: true,
      way: 'archive',
    });
    const after = await Promise.all(ids.map(async (one) => (await listing(one)).status));
    expect(after).toEqual(['withdrawn', 'withdrawn', 'withdrawn', 'Sold', 'withdrawn']);
    expect((await listing(deleted)).status).toBe('Active');
    expect((await listing(theirs)).status).toBe('Active');
    expect(await invitations(id)).toEqual(['used']);
    expect((await invitations(other.id)).toSorted()).toEqual(['open', 'used']);
    const sessionsOf = (agentId: string) =>
      db
        .q()
        .selectFrom('sessions as s')
        .innerJoin('agents as a', 'a.user_id', 's.user_id')
        .select('s.id')
        .where('a.id', '=', agentId)
        .execute();
    expect(await sessionsOf(other.id)).toHaveLength(1);
    expect(await trySignIn(email)).toMatchObject({ ok: false });
    expect(await sessionsOf(id)).toEqual([]);
    expect((await audits(id)).at(-1)).toEqual({
      action: 'seller.archive',
      before: null,
      after: { archived: true },
    });
    // Nothing more can be done with it.
    for (const act of [
      () => deleteSeller(admins[0], { sellerId: id, way: 'archive' }),
      () => suspendSeller(admins[0], { sellerId: id, reason: 'Late' }),
      () => setCommissionRate(admins[0], { sellerId: id, rate: '50', seen: '' }),
      () => setSellerPhone(admins[0], { sellerId: id, phone: '', seen: '' }),
    ])
      await expect(act()).rejects.toMatchObject({ name: 'NotFound' });
    expect(await inviteSeller(admins[0], { name: 'Ines Calloway', email })).toEqual({
      ok: false,
      reason: 'duplicate',
    });
  });

  it('delete nobody who has a sale or a payout in progress', async () => {
    const scenario = await createSaleScenario(db, { clock: testClock() });
    const sellerId = scenario.seller.agentId ?? '';
    const refused = { ok: false, reason: 'open_sale' };
    const archive = () => deleteSeller(admins[0], { sellerId, way: 'archive' });
    const saleId = await scenario.createPaidSale(await scenario.createListing({}));
    expect(await sellerRemoval(admins[0], sellerId)).toEqual({ way: 'refused', open: 1 });
    expect(await archive()).toEqual(refused);
    await scenario.act(scenario.buyer, saleId, 'confirm_closing');
    // Closed, but the seller has not been paid.
    expect(await archive()).toEqual(refused);
    await db
      .q()
      .updateTable('property_sales')
      .set({ payout_status: 'completed', payout_date: new Date() })
      .where('id', '=', saleId)
      .execute();
    expect(await managedSeller(admins[0], sellerId)).toMatchObject({ sales: { count: 1 } });
    expect(await sellerRemoval(admins[0], sellerId)).toMatchObject({ way: 'archive', sales: 1 });

    // A purchase that begins at the same time either stops it or finds the listing withdrawn.
    const propertyId = await scenario.createListing({});
    const [archived, purchase] = await Promise.all([
      archive(),
      Promise.allSettled([scenario.begin(scenario.otherBuyer, propertyId)]),
    ]);
    const begun = purchase[0].status === 'fulfilled' && purchase[0].value.ok;
    expect(archived).toEqual(begun ? refused : { ok: true, way: 'archive' });
    expect((await record(sellerId))?.archived_at === null).toBe(begun);
  });

  const trySignIn = (email: string) =>
    signIn(visitorContext(db), {
      loginRole: 'agent',
      email,
      password: PASSWORD,
      userAgent: null,
      currentSessionId: null,
    });
});
