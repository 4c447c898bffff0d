import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Ctx } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import type { SellerListQuery } from './directory.ts';
import { sellerList } from './reads.ts';

await describeOnDatabase("the administrators' list of sellers", (open) => {
  let db: Database;
  let ctx: Ctx;
  /** Newest first: Ada, Bruno, Cleo, Dora; Emil is archived. */
  beforeAll(async () => {
    db = await open();
    ctx = testContext(db, { actor: await createUser(db, 'admin') });
    const day = (date: number) => new Date(Date.UTC(2026, 0, date));
    const user = await createUser(db, 'buyer');
    await db
      .q()
      .insertInto('agents')
      .values([
        { name: 'Ada Lund', email: 'ada@fernridge.test', commission_rate: 90, created_at: day(9) },
        {
          name: 'bruno Vale',
          email: 'zed@acre.test',
          phone: '+14255550148',
          user_id: user.id,
          registered_at: day(8),
          created_at: day(8),
        },
        {
          name: 'Cleo 100% Marsh',
          email: 'cleo@acre.test',
          commission_rate: 6,
          status: 'suspended',
          created_at: day(7),
        },
        { name: 'Dora Quill', email: 'dora@acre.test', phone: '+442079460958', created_at: day(6) },
        { name: 'Emil Gone', email: 'emil@acre.test', archived_at: day(5), created_at: day(5) },
      ])
      .execute();
  });
  afterAll(() => db.close());

  const names = async (query: Partial<SellerListQuery> = {}, pageSize = 20) =>
    (await sellerList(ctx, { ...query, pageSize })).sellers.map(({ name }) => name.split(' ')[0]);
  const sorted = (by: NonNullable<SellerListQuery['sort']>['by'], descending = false) =>
    names({ sort: { by, descending } });

  it('is newest first, by pages, without the archived ones', async () => {
    expect(await names()).toEqual(['Ada', 'bruno', 'Cleo', 'Dora']);
    expect(await names({ page: 2 }, 3)).toEqual(['Dora']);
    expect(await names({ page: 99 }, 3)).toEqual(['Dora']);
    expect(await sellerList(ctx, { pageSize: 3 })).toMatchObject({
      total: { count: 4, more: false },
      page: 1,
      pages: 2,
      defaultRate: 80,
    });
  });

  it('is sorted by each column, both ways; a seller with the default rate by that', async () => {
    expect(await sorted('name')).toEqual(['Ada', 'bruno', 'Cleo', 'Dora']);
    expect(await sorted('name', true)).toEqual(['Dora', 'Cleo', 'bruno', 'Ada']);
    expect(await sorted('email')).toEqual(['Ada', 'Cleo', 'Dora', 'bruno']);
    expect((await sorted('phone')).slice(0, 2)).toEqual(['bruno', 'Dora']);
    expect((await sorted('phone', true)).slice(0, 2)).toEqual(['Dora', 'bruno']);
    const byRate = await sorted('rate');
    expect([byRate[0], byRate[3]]).toEqual(['Cleo', 'Ada']);
    expect(await sorted('rate', true)).toEqual([...byRate].reverse());
    expect(await names({ sort: { by: 'rate', descending: false }, page: 2 }, 3)).toEqual(['Ada']);
    expect((await sorted('status')).at(-1)).toBe('Cleo');
    expect((await sorted('status'))[0]).toBe('bruno');
  });

  it.each([
    ['LUND', ['Ada']],
    ['acre.te', ['bruno', 'Cleo', 'Dora']],
    ['da', []],
    ['do', ['Dora']],
    ['ze', ['bruno']],
    ['(425) 555', ['bruno']],
    ['4420', ['Dora']],
    ['100%', ['Cleo']],
    ['_%', []],
    ['emil', []],
    ['nothing like it', []],
  ] as const)('finds %o', async (q, found) => {
    expect(await names({ q })).toEqual(found);
    expect((await sellerList(ctx, { q, pageSize: 20 })).total.count).toBe(found.length);
  });

  it('finds a seller by id, and the archived ones when asked for', async () => {
    const { sellers } = await sellerList(ctx, { q: 'Dora', pageSize: 20 });
    expect(await names({ q: sellers[0]?.id ?? '' })).toEqual(['Dora']);
    expect(await names({ status: 'archived' })).toEqual(['Emil']);
    expect(await names({ status: 'suspended' })).toEqual(['Cleo']);
    expect(await names({ status: 'pending' })).toEqual(['Ada', 'Dora']);
    expect(await names({ status: 'active', q: 'acre' })).toEqual(['bruno']);
  });

  it('shows of each what is stored', async () => {
    const { agentId } = await createUser(db, 'agent');
    await db
      .q()
      .updateTable('agents')
      .set({
        name: 'Paid Person',
        preferred_payout_method: 'stripe',
        stripe_account_id: 'acct_1234567890',
        stripe_transfers_active: true,
        payout_status: 'complete',
      })
      .where('id', '=', agentId)
      .execute();
    const gone = await createListing(db, agentId, { status: 'Active' });
    await createListing(db, agentId, { status: 'Active' });
    await db.q().updateTable('properties').set({ deleted_at: new Date() }).where('id', '=', gone).execute();
    const { sellers } = await sellerList(ctx, { q: 'Paid Person', pageSize: 20 });
    expect(sellers).toMatchObject([
      {
        status: 'active',
        registered: true,
        invitation: null,
        payoutReady: true,
        listings: 1,
        sales: { count: 0, cents: 0 },
        payment: {
          method: 'stripe',
          stripe: { account: '…7890', active: true, requirement: null },
          paypal: null,
          holdUntil: null,
        },
      },
    ]);
  });
});
