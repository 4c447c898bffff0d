import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Ctx } from '#platform/context.ts';
import { COUNTED_MATCHES } from '#platform/counts.ts';
import type { Database } from '#platform/db/database.ts';
import { explained } from '#tests/support/database/explained.ts';
import { countQueries } from '#tests/support/database/query-count.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { transactionQueryFrom } from './filters.ts';
import { transactionRows } from './list.ts';
import { listStatuses, paidByKinds, type TransactionSort, transactionSorts } from './model.ts';
import { transactionList } from './reads.ts';
import { withSeller } from './seller-filter.ts';

const PAGE = 25;
/** Sales in a Row, of which a search says '1,000+', and among them others in a Lane. */
const [IN_ROWS, IN_LANES] = [1_080, 240];

interface Sale {
  id: string;
  date: Date;
  property: string;
  seller: string;
  price: number;
  commission: number;
  fees: number;
  method: string;
  status: string;
  livemode: boolean;
}

await describeOnDatabase('the list of very many sales', (open) => {
  let db: Database;
  let ctx: Ctx;
  let sales: Sale[];

  beforeAll(async () => {
    db = await open();
    ctx = testContext(db, { actor: await createUser(db, 'admin') });
    const buyer = await createUser(db, 'buyer');
    const sellers = [await createUser(db, 'agent'), await createUser(db, 'agent')].map(
      ({ agentId }) => agentId,
    );
    await fill(buyer.id, sellers);
    const { rows } = await db.pool.query<Sale>(
      `select s.id, coalesce(s.sale_date, s.created_at) as date, w.address as property, w.seller,
         s.sale_price_cents::int as price, s.share_left_cents::int as commission, s.total_fees_cents::int as fees,
         s.paid_by as method, s.list_status as status, s.livemode
       from property_sales s join sale_search w on w.sale_id = s.id where w.address like '%row'`,
    );
    sales = rows;
    await db.pool.query('analyze');
  }, 60_000);
  afterAll(() => db.close());

  /** Without the triggers, which would take a minute: what the list needs of them is written here. */
  async function fill(buyerId: string, sellers: readonly (string | null)[]): Promise<void> {
    const client = await db.pool.connect();
    try {
      await client.query('set session_replication_role = replica');
      await client.query(
        `insert into properties (agent_id, type_id, address, city, state, zip, price_cents, status)
         select ($1::uuid[])[n % 2 + 1], (select min(id) from property_types),
           n || case when n % 11 < 2 then ' Larkspur Lane' else ' Larkspur Row' end, 'Port Alder', 'OR', '97031', 1, 'Sold'
         from generate_series(1, $2::int) n`,
        [sellers, IN_ROWS + IN_LANES],
      );
      await client.query(
        `insert into property_sales (property_id, buyer_id, agent_id, sale_price_cents, buyer_fees_cents, admin_percentage,
           agent_commission_cents, payment_method, paid_with, provider, livemode, stripe_payment_status, escrow_status,
           payout_status, idempotency_key, created_at, sale_date, released_at, receipt_number)
         select id, $1, agent_id, price, n % 5 * 100, 20, round(price * 0.8), case when n % 3 = 0 then 'crypto' else 'card' end,
           (array['chain', 'card', 'bank'])[n % 3 + 1], 'sandbox-card', n % 2 = 0,
           'completed', case when n % 7 = 1 then 'in_escrow' else 'completed' end,
           case when n % 7 = 1 then null when n % 7 = 2 then 'pending' else 'completed' end, 'frequent ' || n,
           at, at, case when n % 7 <> 1 then at end, n
         from (select id, agent_id, n, 10000 + n * 7919 % 1000 as price, now() - n / 2 * interval '1 hour' as at
           from (select id, agent_id, split_part(address, ' ', 1)::int as n from properties where address like '% Larkspur %') p) s`,
        [buyerId],
      );
      await client.query(
        `insert into sale_search (sale_id, address, seller, words)
         select s.id, lower(p.address), lower(a.name), ' ' || sale_words(p, a)
         from property_sales s join properties p on p.id = s.property_id join agents a on a.id = s.agent_id`,
      );
      await client.query('set session_replication_role = origin');
    } finally {
      client.release();
    }
  }

  /** What the page shows, of the sales as they were read in no order. */
  function expectedIds(by: TransactionSort, descending: boolean, { page }: { page: number }): string[] {
    const rank = { method: paidByKinds, status: listStatuses } as const;
    const keyOf = (sale: Sale) => {
      if (by === 'method' || by === 'status') return (rank[by] as readonly string[]).indexOf(sale[by]);
      return by === 'date' ? sale.date.getTime() : sale[by];
    };
    const compare = <T extends string | number>(a: T, b: T) => (a < b ? -1 : a > b ? 1 : 0);
    const isGroup = by === 'method' || by === 'status';
    const way = descending ? -1 : 1;
    // Within a value the newest first, whichever way the values are sorted.
    const tied = (a: Sale, b: Sale) =>
      isGroup
        ? compare(b.date.getTime(), a.date.getTime()) || compare(b.id, a.id)
        : way * compare(a.id, b.id);
    return sales
      .toSorted((a, b) => way * compare(keyOf(a), keyOf(b)) || tied(a, b))
      .slice((page - 1) * PAGE, page * PAGE)
      .map(({ id }) => id);
  }

  const queryOf = (params: Record<string, string>) =>
    transactionQueryFrom(new URLSearchParams({ q: 'row larkspur', ...params }));
  const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);

  it.each(transactionSorts.flatMap((by) => [`-${by}`, by]))(
    'shows the pages of a search for a frequent word by %s',
    async (sort) => {
      const by = sort.replace('-', '') as TransactionSort;
      for (const page of [1, 2, 40]) {
        const { rows, total } = await transactionList(ctx, queryOf({ sort, page: `${page}` }));
        expect(idsOf(rows), `page ${page}`).toEqual(expectedIds(by, sort.startsWith('-'), { page }));
        const isGrouped = by === 'method' || by === 'status';
        expect(total).toEqual(
          isGrouped ? { count: IN_ROWS, more: false } : { count: COUNTED_MATCHES, more: true },
        );
      }
    },
  );

  it.each(['-price', 'property', 'seller', '-date'])(
    'sorts all matches of a search by %s where going along the order finds too few',
    async (sort) => {
      const { sort: order, page: _, size, ...filters } = queryOf({ sort });
      const { filter } = await withSeller(ctx, filters);
      const page = { sort: order, limit: size ?? PAGE, offset: PAGE, few: false };
      const expected = expectedIds(order?.by ?? 'date', order?.descending ?? true, { page: 2 });
      for (const [walk, queries] of [
        [30, 2],
        [500, 1],
      ] as const) {
        let ids: string[] = [];
        const count = await countQueries(db, async (counted) => {
          ids = idsOf(await transactionRows({ ...ctx, db: counted }, filter, page, walk));
        });
        expect({ ids, count }).toEqual({ ids: expected, count: queries });
      }
    },
  );

  it.each(['-price', 'property', 'status'])(
    'narrows the matches of a search by filters, by %s',
    async (sort) => {
      const by = sort.replace('-', '') as TransactionSort;
      const all = sales;
      sales = all.filter(({ method, livemode }) => method === 'card' && livemode);
      try {
        const { rows, total } = await transactionList(ctx, queryOf({ sort, method: 'card', mode: 'live' }));
        expect(total).toEqual({ count: sales.length, more: false });
        expect(idsOf(rows)).toEqual(expectedIds(by, sort.startsWith('-'), { page: 1 }));
        const { filter } = await withSeller(ctx, queryOf({ method: 'card', mode: 'live' }));
        const order = queryOf({ sort }).sort;
        const walked = await transactionRows(ctx, filter, {
          sort: order,
          limit: PAGE,
          offset: 0,
          few: false,
        });
        expect(idsOf(walked)).toEqual(idsOf(rows));
      } finally {
        sales = all;
      }
    },
  );

  it.each(['status', '-status'])('by %s reads no sale of another status', async (sort) => {
    const { result, plans } = await explained(db, 'unnest', (explaining) =>
      transactionList({ ...ctx, db: explaining }, { ...queryOf({ sort }), q: '' }),
    );
    expect(result.rows).toHaveLength(PAGE);
    expect(plans).toHaveLength(1);
    expect(plans[0]).toContain('property_sales_by_status');
    expect(plans[0]).not.toContain('property_sales_by_date');
  });
});
