import { randomUUID } from 'node:crypto';
import type { Insertable } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { payoutStatusBadge } from '#features/sales/rules.ts';
import type { Ctx } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import type { DB } from '#platform/db/schema.gen.ts';
import { countQueries } from '#tests/support/database/query-count.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { transactionQueryFrom } from './filters.ts';
import { listStatuses, type TransactionOrder, transactionSorts } from './model.ts';
import { transactionList } from './reads.ts';
import { listStatusLabels } from './rules.ts';

type SaleColumns = Partial<Insertable<DB['property_sales']>>;
const day = (date: number) => new Date(Date.UTC(2026, 0, date, 12));

/** Sales by name of their property, newest first. */
const sales = {
  Aspen: {
    place: { address: '1 Aspen Row', city: 'Port Alder' },
    seller: 'Zora',
    sale: { sale_price_cents: 300_00, created_at: day(9) },
  },
  birch: {
    place: { address: '2 birch Row', city: 'Cedar Hollow' },
    seller: 'adam',
    sale: {
      sale_price_cents: 100_00,
      buyer_fees_cents: 9_00,
      seller_fees_cents: 1_00,
      stripe_payment_status: 'processing',
      payment_method: 'crypto',
      created_at: day(8),
    },
  },
  Cedar: {
    place: { address: '3 Cedar 100% Row', city: 'Cedar Hollow' },
    seller: 'Zora',
    sale: {
      sale_price_cents: 200_00,
      agent_commission_cents: 150_00,
      returned_base_cents: 100_00,
      stripe_payment_status: 'completed',
      escrow_status: 'completed',
      payout_status: 'pending',
      paid_with: 'bank',
      livemode: true,
      sale_date: day(7),
      released_at: day(7),
      created_at: day(1),
      receipt_number: 41,
    },
  },
  Dogwood: {
    place: { address: '4 Dogwood Row', city: 'Port Alder' },
    seller: 'Mira',
    sale: {
      sale_price_cents: 400_00,
      buyer_fees_cents: 4_00,
      stripe_payment_status: 'completed',
      escrow_status: 'in_escrow',
      paid_with: 'card',
      sale_date: day(6),
      receipt_number: 42,
      created_at: day(5),
      frozen_at: day(6),
    },
  },
} as const satisfies Record<string, { place: object; seller: string; sale: SaleColumns }>;

await describeOnDatabase("the administrators' list of sales", (open) => {
  let db: Database;
  let ctx: Ctx;
  let buyerId: string;
  const sellers = new Map<string, { agentId: string; email: string }>();
  const ids = new Map<string, string>();

  async function createSale(agentId: string, propertyId: string, sale: SaleColumns): Promise<string> {
    const price = Number(sale.sale_price_cents ?? 500_00);
    const { id } = await db
      .q()
      .insertInto('property_sales')
      .values({
        property_id: propertyId,
        buyer_id: buyerId,
        agent_id: agentId,
        sale_price_cents: price,
        admin_percentage: 20,
        agent_commission_cents: Math.round(price * 0.8),
        payment_method: 'card',
        provider: 'sandbox-card',
        idempotency_key: randomUUID(),
        ...sale,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  beforeAll(async () => {
    db = await open();
    ctx = testContext(db, { actor: await createUser(db, 'admin') });
    buyerId = (await createUser(db, 'buyer')).id;
    for (const name of ['Zora', 'adam', 'Mira']) {
      const { agentId, email } = await createUser(db, 'agent');
      await db.q().updateTable('agents').set({ name }).where('id', '=', agentId).execute();
      sellers.set(name, { agentId: agentId ?? '', email });
    }
    for (const [name, { place, seller, sale }] of Object.entries(sales)) {
      const { agentId = '' } = sellers.get(seller) ?? {};
      ids.set(name, await createSale(agentId, await createListing(db, agentId, place), sale));
    }
  });
  afterAll(() => db.close());

  const list = (query: Record<string, string> = {}) =>
    transactionList(ctx, transactionQueryFrom(new URLSearchParams(query)));
  const names = async (query: Record<string, string> = {}) =>
    (await list(query)).rows.map(({ property }) => property.address.split(' ')[1]);

  it('is newest first, by the day of the payment, or of the beginning while unpaid', async () => {
    expect(await names()).toEqual(['Aspen', 'birch', 'Cedar', 'Dogwood']);
    const { rows, total, page, pages } = await list({ page: '99' });
    expect({ total, page, pages }).toEqual({ total: { count: 4, more: false }, page: 1, pages: 1 });
    expect(rows[2]).toEqual({
      id: ids.get('Cedar'),
      date: day(7).toISOString(),
      property: {
        id: expect.any(String),
        address: '3 Cedar 100% Row',
        town: 'Cedar Hollow, OR 97031',
      },
      seller: { id: sellers.get('Zora')?.agentId, name: 'Zora' },
      salePriceCents: 200_00,
      // Half of the price has gone back, and half of the seller's share with it.
      commissionCents: 75_00,
      feesCents: 0,
      counted: null,
      paidBy: 'bank',
      state: { payment: 'completed', escrow: 'completed', payout: 'pending' },
      frozen: false,
      testMode: false,
    });
    expect(rows[3]).toMatchObject({ frozen: true, feesCents: 4_00, paidBy: 'card' });
    expect(rows[1]).toMatchObject({ feesCents: 10_00, paidBy: 'crypto' });
  });

  it('sorts by every column in both directions', async () => {
    const orders: Record<TransactionOrder['by'], string[]> = {
      date: ['Dogwood', 'Cedar', 'birch', 'Aspen'],
      property: ['Aspen', 'birch', 'Cedar', 'Dogwood'],
      seller: ['birch', 'Dogwood'],
      price: ['birch', 'Cedar', 'Aspen', 'Dogwood'],
      commission: ['Cedar', 'birch', 'Aspen', 'Dogwood'],
      fees: ['Dogwood', 'birch'],
      // By words: Bank transfer, Card, Card or bank transfer, Crypto.
      method: ['Cedar', 'Dogwood', 'Aspen', 'birch'],
      // Awaiting payment, In Escrow, Payment processing, Pending.
      status: ['Aspen', 'Dogwood', 'birch', 'Cedar'],
    };
    for (const by of transactionSorts) {
      const expected = orders[by];
      const found = (await names({ sort: by })).filter((name) => expected.includes(name ?? ''));
      expect(found, by).toEqual(expected);
      const back = (await names({ sort: `-${by}` })).filter((name) => expected.includes(name ?? ''));
      expect(back, `-${by}`).toEqual(expected.toReversed());
    }
  });

  it.each([
    [{ q: 'aspen' }, ['Aspen']],
    [{ q: 'ALDER row' }, ['Aspen', 'Dogwood']],
    [{ q: 'mira' }, ['Dogwood']],
    [{ q: 'zora cedar' }, ['Cedar']],
    [{ q: '100%' }, ['Cedar']],
    [{ q: '%%%' }, []],
    [{ q: '2 ' }, ['birch']],
    [{ q: 'ad' }, ['birch']],
    [{ q: 'ATP-000041' }, ['Cedar']],
    [{ q: "'; drop table property_sales --" }, []],
    [{ q: '\0\\' }, []],
    [{ from: '2026-01-07', to: '2026-01-08' }, ['birch', 'Cedar']],
    [{ from: '2026-01-08' }, ['Aspen', 'birch']],
    // Noon in UTC is two in the morning of the next day on Kiritimati.
    [{ from: '2026-01-08', to: '2026-01-08', zone: 'Pacific/Kiritimati' }, ['Cedar']],
    [{ from: '2026-01-08', to: '2026-01-08', zone: 'Nowhere' }, ['birch']],
    [{ paid: '1' }, ['Cedar', 'Dogwood']],
    [{ paid: '1', from: '2026-01-07', to: '2026-01-09' }, ['Cedar']],
    [{ to: '2026-02-30' }, ['Aspen', 'birch', 'Cedar', 'Dogwood']],
    [{ status: 'in_escrow' }, ['Dogwood']],
    [{ status: 'nonsense' }, ['Aspen', 'birch', 'Cedar', 'Dogwood']],
    [{ method: 'bank' }, ['Cedar']],
    [{ method: 'card_or_bank' }, ['Aspen']],
    [{ mode: 'live' }, ['Cedar']],
    [{ mode: 'test', q: 'row', sort: '-price' }, ['Dogwood', 'Aspen', 'birch']],
    [{ q: 'row', sort: 'status' }, ['Aspen', 'Dogwood', 'birch', 'Cedar']],
    [{ q: 'row', sort: '-property', method: 'crypto' }, ['birch']],
    [{ seller: 'nobody@example.test' }, []],
  ])('finds by %j', async (query, found) => {
    expect(await names(query as Record<string, string>)).toEqual(found);
    expect((await list(query as Record<string, string>)).total.count).toBe(found.length);
  });

  it('narrows to a seller by id and by email address, and says whose they are', async () => {
    const { agentId = '', email = '' } = sellers.get('Zora') ?? {};
    for (const seller of [agentId, agentId.toUpperCase(), email, email.toUpperCase()]) {
      expect(await names({ seller })).toEqual(['Aspen', 'Cedar']);
      expect((await list({ seller })).seller).toEqual({ id: agentId, name: 'Zora', email });
    }
    expect((await list({ seller: 'nobody' })).seller).toBeNull();
    expect(await names({ q: ids.get('birch')?.toUpperCase() ?? '' })).toEqual(['birch']);
  });

  it('narrows to a buyer by id, and says whose they are', async () => {
    const other = await createUser(db, 'buyer');
    const { name } = await db
      .q()
      .selectFrom('users')
      .select('name')
      .where('id', '=', buyerId)
      .executeTakeFirstOrThrow();
    expect(await names({ buyer: buyerId, seller: sellers.get('Zora')?.email ?? '' })).toEqual([
      'Aspen',
      'Cedar',
    ]);
    expect((await list({ buyer: buyerId })).buyer).toBe(name);
    expect(await names({ buyer: other.id })).toEqual([]);
    expect(await names({ buyer: 'nobody' })).toEqual([]);
    expect((await list({ buyer: 'nobody' })).buyer).toBeNull();
  });

  it('follows new addresses and names', async () => {
    const sale = await db
      .q()
      .selectFrom('property_sales')
      .select('property_id')
      .where('id', '=', ids.get('Dogwood') ?? '')
      .executeTakeFirstOrThrow();
    const setAddress = (address: string) =>
      db.q().updateTable('properties').set({ address }).where('id', '=', sale.property_id).execute();
    await setAddress('0 Zinnia Row');
    expect(await names({ q: 'zinnia' })).toEqual(['Zinnia']);
    expect(await names({ q: 'dogwood' })).toEqual([]);
    expect((await names({ sort: 'property' }))[0]).toBe('Zinnia');
    await setAddress(sales.Dogwood.place.address);
    const setName = (name: string) =>
      db
        .q()
        .updateTable('agents')
        .set({ name })
        .where('id', '=', sellers.get('Mira')?.agentId ?? '')
        .execute();
    await setName('Quentin');
    expect(await names({ q: 'quentin' })).toEqual(['Dogwood']);
    expect(await names({ q: 'mira' })).toEqual([]);
    await setName('Mira');
  });

  it('has one query for the page however many rows it has', async () => {
    const asked = (query: Record<string, string>) =>
      countQueries(db, (counted) =>
        transactionList({ ...ctx, db: counted }, transactionQueryFrom(new URLSearchParams(query))),
      );
    expect(await asked({ status: 'in_escrow' })).toBe(await asked({}));
  });

  it('names every status as the badges of sellers do', () => {
    const states = [
      [{ payment: 'pending', escrow: 'pending', payout: null }, 'awaiting_payment'],
      [{ payment: 'processing', escrow: 'pending', payout: null }, 'payment_processing'],
      [{ payment: 'completed', escrow: 'in_escrow', payout: null }, 'in_escrow'],
      [{ payment: 'completed', escrow: 'cancelled', payout: null }, 'cancelled'],
      [{ payment: 'failed', escrow: 'cancelled', payout: null }, 'cancelled'],
      [{ payment: 'refunded', escrow: 'cancelled', payout: null }, 'refunded'],
      [{ payment: 'refunded', escrow: 'completed', payout: 'completed' }, 'refunded'],
      ...(['pending', 'processing', 'completed', 'failed'] as const).map(
        (payout) => [{ payment: 'completed', escrow: 'completed', payout }, payout] as const,
      ),
    ] as const;
    for (const [state, status] of states)
      expect(payoutStatusBadge(state).label).toBe(listStatusLabels[status]);
    expect(new Set(states.map(([, status]) => status))).toEqual(new Set(listStatuses));
  });

  it('stores the status of each sale as the badge says', async () => {
    const rows = await db
      .q()
      .selectFrom('property_sales')
      .select(['list_status', 'stripe_payment_status', 'escrow_status', 'payout_status'])
      .execute();
    for (const row of rows)
      expect(listStatusLabels[row.list_status as keyof typeof listStatusLabels]).toBe(
        payoutStatusBadge({
          payment: row.stripe_payment_status,
          escrow: row.escrow_status,
          payout: row.payout_status,
        }).label,
      );
  });
});
