import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { migrate, migrateTo } from '#platform/db/migrate.ts';
import { createEmptyDatabase } from '#tests/support/database/empty-database.ts';
import { serverIsReachable } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { checkLedger } from './reads.ts';

type Lines = [account: string, cents: number][];

/** Books as they were posted when one account stood for the clearing of all providers. */
interface OldSale {
  provider: string;
  livemode?: boolean;
  payment: string;
  escrow: string;
  payout?: string;
  frozen?: boolean;
  entries: [key: string, kind: string, lines: Lines][];
  refunds?: [status: string, key: string][];
  dispute?: string;
  property: string;
}

const BASE = 100_000_00;
const FEES = 2_000_00;
const TOTAL = BASE + FEES;
const paid: OldSale['entries'] = [
  [
    'paid',
    'L1',
    [
      ['provider_clearing', TOTAL],
      ['escrow_held', -BASE],
      ['fees_held', -FEES],
    ],
  ],
  [
    'cost',
    'L1',
    [
      ['processing_cost', 30_00],
      ['provider_clearing', -30_00],
    ],
  ],
];
const back: Lines = [
  ['provider_clearing', -TOTAL],
  ['escrow_held', BASE],
  ['fees_held', FEES],
];
const released: OldSale['entries'][number] = [
  'released',
  'L2',
  [
    ['escrow_held', BASE],
    ['seller_payable', -80_000_00],
    ['platform_revenue', -20_000_00],
    ['fees_held', FEES],
    ['fee_revenue', -FEES],
  ],
];
const disputed: OldSale['entries'][number] = [
  'disputed:dp',
  'L5',
  [
    ['disputed', TOTAL],
    ['provider_clearing', -TOTAL],
  ],
];

const sales: Record<string, OldSale> = {
  'in escrow': {
    provider: 'stripe',
    livemode: true,
    payment: 'completed',
    escrow: 'in_escrow',
    entries: paid,
    property: 'escrow',
  },
  'in test mode': {
    provider: 'stripe',
    payment: 'completed',
    escrow: 'in_escrow',
    entries: paid,
    property: 'escrow',
  },
  refunded: {
    provider: 'coinbase',
    livemode: true,
    payment: 'refunded',
    escrow: 'cancelled',
    entries: [...paid, ['refunded:0', 'L4', back]],
    refunds: [['succeeded', '0']],
    property: 'Active',
  },
  'without a cent left in clearing': {
    provider: 'coinbase',
    livemode: true,
    payment: 'refunded',
    escrow: 'cancelled',
    entries: [paid[0] ?? released, ['refunded:0', 'L4', back]],
    refunds: [['succeeded', '0']],
    property: 'Active',
  },
  released: {
    provider: 'stripe',
    livemode: true,
    payment: 'completed',
    escrow: 'completed',
    payout: 'pending',
    entries: [...paid, released],
    property: 'Sold',
  },
  'paid out': {
    provider: 'stripe',
    livemode: true,
    payment: 'completed',
    escrow: 'completed',
    payout: 'completed',
    entries: [
      ...paid,
      released,
      [
        'payout',
        'L3',
        [
          ['seller_payable', 80_000_00],
          ['payout_in_transit', -80_000_00],
        ],
      ],
      [
        'payout-paid',
        'L3',
        [
          ['payout_in_transit', 80_000_00],
          ['provider_clearing', -80_000_00],
        ],
      ],
    ],
    property: 'Sold',
  },
  disputed: {
    provider: 'stripe',
    livemode: true,
    payment: 'completed',
    escrow: 'in_escrow',
    frozen: true,
    entries: [...paid, disputed],
    dispute: 'open',
    property: 'escrow',
  },
  'lost after the release': {
    provider: 'stripe',
    livemode: true,
    payment: 'completed',
    escrow: 'completed',
    payout: 'pending',
    frozen: true,
    entries: [...paid, released, disputed],
    dispute: 'lost',
    property: 'Sold',
  },
  'frozen by a payment that differs': {
    provider: 'stripe',
    livemode: true,
    payment: 'pending',
    escrow: 'pending',
    frozen: true,
    entries: [],
    property: 'Active',
  },
};

const sums = async (db: Database) =>
  (
    await sql<{ account: string; cents: number }>`select account, sum(amount_cents)::bigint as cents
      from ledger_postings group by account having sum(amount_cents) <> 0 order by account`.execute(db.q())
  ).rows.map(({ account, cents }) => [account, Number(cents)] as const);

describe('the migration to clearing by provider account', () => {
  let db: Database;
  let close = async () => {};
  const ids = new Map<string, string>();

  beforeEach(async () => {
    const own = (await serverIsReachable()) ? await createEmptyDatabase() : null;
    db = await openDatabase({ url: own?.url, dataDir: null });
    close = async () => {
      await db.close();
      await own?.drop();
    };
    await migrateTo(db, '0020_admin_tasks');
    const [agentId, buyerId] = [randomUUID(), randomUUID()];
    await sql`insert into agents (id, name, email) values (${agentId}, 'Ada', 'ada@acre.test')`.execute(
      db.q(),
    );
    await sql`insert into users (id, name, email) values (${buyerId}, 'Bo', 'bo@acre.test')`.execute(db.q());
    for (const [name, sale] of Object.entries(sales))
      ids.set(name, await writeOldSale(db, { agentId, buyerId }, sale));
  });
  afterEach(() => close());

  it('changes no sum: what stood in the one account stands in those of the providers, by mode', async () => {
    const before = await sums(db);
    const { rows: bySale } = await sql<{ id: string; cents: number }>`
      select e.sale_id as id, sum(p.amount_cents)::bigint as cents from ledger_entries e
      join ledger_postings p on p.entry_id = e.id where p.account = 'provider_clearing'
      group by e.sale_id having sum(p.amount_cents) <> 0 order by 1`.execute(db.q());
    await migrate(db);
    expect(await sums(db)).toEqual(
      before
        .map(([account, cents]) => [account === 'provider_clearing' ? 'clearing' : account, cents])
        .toSorted(([one], [other]) => (String(one) < String(other) ? -1 : 1)),
    );
    const { rows: after } = await sql<{ id: string; cents: number }>`
      select e.sale_id as id, sum(p.amount_cents)::bigint as cents from ledger_entries e
      join ledger_postings p on p.entry_id = e.id where p.account = 'clearing' group by e.sale_id order by 1`.execute(
      db.q(),
    );
    expect(after).toEqual(bySale);
    const { rows: accounts } = await sql<{ name: string; cents: number }>`
      select a.provider || case when a.livemode then ' live' else ' test' end as name, sum(p.amount_cents)::bigint as cents
      from ledger_postings p join provider_accounts a on a.id = p.provider_account_id
      where a.account_ref is null group by 1 order by 1`.execute(db.q());
    expect(accounts.map(({ name, cents }) => [name, Number(cents)])).toEqual([
      ['coinbase live', -30_00],
      ['stripe live', 3 * (TOTAL - 30_00) - 80_000_00 - 2 * 30_00],
      ['stripe test', TOTAL - 30_00],
    ]);
  });

  it('records what each refund and dispute is about, and opens breaks for payments set aside', async () => {
    await migrate(db);
    const sale = (name: string) =>
      db
        .q()
        .selectFrom('property_sales')
        .selectAll()
        .where('id', '=', ids.get(name) ?? '')
        .executeTakeFirstOrThrow();
    expect(await sale('refunded')).toMatchObject({ returned_base_cents: BASE, returned_fees_cents: FEES });
    expect(await sale('paid out')).toMatchObject({ returned_base_cents: 0, returned_fees_cents: 0 });
    expect((await sale('disputed')).frozen_at).not.toBeNull();
    expect((await sale('lost after the release')).frozen_at).toBeNull();
    const refunds = await db
      .q()
      .selectFrom('refunds')
      .select(['base_cents', 'fees_cents', 'origin'])
      .execute();
    expect(refunds).toEqual(
      Array.from({ length: 2 }, () => ({ base_cents: BASE, fees_cents: FEES, origin: 'platform' })),
    );
    const disputes = await db
      .q()
      .selectFrom('disputes')
      .select(['status', 'kind', 'amount_cents', 'withdrawn_cents'])
      .orderBy('status')
      .execute();
    expect(disputes).toEqual(
      ['lost', 'open'].map((status) => ({
        status,
        kind: 'chargeback',
        amount_cents: TOTAL,
        withdrawn_cents: TOTAL,
      })),
    );
    const breaks = await db
      .q()
      .selectFrom('breaks')
      .select(['kind', 'sale_id', 'freezes', 'state'])
      .execute();
    expect(breaks).toEqual([
      {
        kind: 'payment_mismatch',
        sale_id: ids.get('frozen by a payment that differs'),
        freezes: true,
        state: 'open',
      },
    ]);
    const system = testContext(db, { actor: { kind: 'system', name: 'test' } });
    // Its end was never posted; the provider's next answer posts it.
    expect(await checkLedger(system)).toEqual([
      {
        check: 'disputed money is what open chargebacks have taken',
        subject: `sale ${ids.get('lost after the release')}`,
        detail: expect.any(String),
      },
    ]);
  });
});

async function writeOldSale(
  db: Database,
  { agentId, buyerId }: { agentId: string; buyerId: string },
  sale: OldSale,
): Promise<string> {
  const [id, propertyId] = [randomUUID(), randomUUID()];
  const q = db.q();
  const isPaid = sale.entries.length > 0;
  await sql`insert into properties (id, agent_id, address, price_cents, status) values
    (${propertyId}, ${agentId}, ${id}, ${BASE}, ${sale.property})`.execute(q);
  await sql`insert into property_sales (id, property_id, buyer_id, agent_id, sale_price_cents, buyer_fees_cents, admin_percentage,
      agent_commission_cents, payment_method, provider, livemode, provider_session_id, stripe_payment_status, escrow_status,
      payout_status, sale_date, receipt_number, frozen_at, idempotency_key)
    values (${id}, ${propertyId}, ${buyerId}, ${agentId}, ${BASE}, ${FEES}, 20, 8000000, 'card', ${sale.provider},
      ${sale.livemode ?? false}, ${id}, ${sale.payment}, ${sale.escrow}, ${sale.payout ?? null}, ${isPaid ? new Date() : null},
      ${isPaid ? sql`nextval('receipt_numbers')` : null}, ${sale.frozen ? new Date() : null}, ${id})`.execute(
    q,
  );
  await sql`insert into transaction_fees (sale_id, name, fee_type, applies_to, amount_applied_cents)
    values (${id}, 'Closing', 'fixed', 'buyer', ${FEES})`.execute(q);
  for (const [status, number] of sale.refunds ?? [])
    await sql`insert into refunds (sale_id, amount_cents, reason, status, idempotency_key)
      values (${id}, ${TOTAL}, 'Cancelled', ${status}, ${`refund:${id}:${number}`})`.execute(q);
  if (sale.dispute)
    await sql`insert into disputes (sale_id, provider_ref, reason, status)
      values (${id}, ${`dp_${id}`}, 'fraudulent', ${sale.dispute})`.execute(q);
  if (sale.payout === 'completed')
    await sql`insert into payouts (sale_id, agent_id, amount_cents, method, destination, status, idempotency_key)
      values (${id}, ${agentId}, 8000000, 'stripe', 'acct_1', 'completed', ${`payout:${id}`})`.execute(q);
  for (const [key, kind, lines] of sale.entries)
    await db.tx(async () => {
      const entry = await sql<{ id: number }>`insert into ledger_entries (idempotency_key, kind, sale_id)
        values (${`${key.replace(':dp', `:dp_${id}`)}:${id}`}, ${kind}, ${id}) returning id`.execute(db.q());
      for (const [account, cents] of lines)
        await sql`insert into ledger_postings (entry_id, account, amount_cents)
          values (${entry.rows[0]?.id}, ${account}, ${cents})`.execute(db.q());
    });
  return id;
}
