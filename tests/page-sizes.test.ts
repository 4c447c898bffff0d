import { afterAll, beforeAll, expect, it } from 'vitest';
import { buyerList } from '#features/buyers/reads.ts';
import { documentList } from '#features/documents/reads.ts';
import { inquiryOverview, reportQueue } from '#features/inquiries/reads.ts';
import { allListings, escrowListings, reviewQueue } from '#features/listing-review/reads.ts';
import { proofList } from '#features/ownership/reads.ts';
import { openTask } from '#features/tasks/commands/open-task.ts';
import { taskList } from '#features/tasks/reads.ts';
import { transactionQueryFrom } from '#features/transactions/filters.ts';
import { transactionList } from '#features/transactions/reads.ts';
import type { Ctx } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { createSaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { createUser } from '#tests/support/fixtures/users.ts';

interface Place {
  page: number;
  size: number | null;
}

const rowsOf = <Row>(list: { rows: Row[] }, id: (row: Row) => string) => list.rows.map(id);
const idOf = ({ id }: { id: string }) => id;

/** Every list of administrators that can have more or fewer rows on a page. */
const lists: Record<string, (ctx: Ctx, place: Place) => Promise<string[]>> = {
  'all properties': async (ctx, place) => rowsOf(await allListings(ctx, place), idOf),
  'pending approval': async (ctx, place) => rowsOf(await reviewQueue(ctx, place), idOf),
  'in escrow': async (ctx, place) => rowsOf(await escrowListings(ctx, place), ({ saleId }) => saleId),
  transactions: async (ctx, place) =>
    rowsOf(await transactionList(ctx, { ...transactionQueryFrom(new URLSearchParams()), ...place }), idOf),
  buyers: async (ctx, place) => rowsOf(await buyerList(ctx, place), idOf),
  inquiries: async (ctx, place) => rowsOf(await inquiryOverview(ctx, place), idOf),
  documents: async (ctx, place) => rowsOf(await documentList(ctx, place), idOf),
  tasks: async (ctx, place) => (await taskList(ctx, { state: 'open', ...place })).tasks.map(idOf),
  reports: async (ctx, place) => rowsOf(await reportQueue(ctx, { state: 'open', ...place }), idOf),
  'proofs of ownership': async (ctx, place) =>
    rowsOf(await proofList(ctx, { tab: 'waiting', ...place }), idOf),
};
/** Lists that nothing is made for here. */
const EMPTY = ['reports', 'proofs of ownership'];

await describeOnDatabase('the lists of administrators', (open) => {
  let db: Database;
  let ctx: Ctx;
  beforeAll(async () => {
    db = await open();
    const scenario = await createSaleScenario(db);
    ctx = scenario.contextFor(scenario.admin);
    for (const street of ['Ash', 'Birch', 'Cedar']) {
      const saleId = await scenario.createPaidSale();
      await scenario.act(scenario.seller, saleId, 'deliver_documents');
      await openTask(scenario.system, { kind: 'documents_overdue', subjectId: saleId });
      const property_id = await scenario.createListing({ address: `1 ${street} Lane`, status: 'pending' });
      const { id: user_id } = await createUser(db, 'buyer');
      await db
        .q()
        .insertInto('property_inquiries')
        .values({ property_id, user_id, message: 'Is it quiet?' })
        .execute();
    }
  });
  afterAll(() => db.close());

  it.each(Object.entries(lists))(
    '%s: as many rows on a page as asked for, each on one',
    async (name, read) => {
      const all = await read(ctx, { page: 1, size: null });
      expect(all.length).toBeGreaterThanOrEqual(EMPTY.includes(name) ? 0 : 3);
      const pages = Math.max(1, Math.ceil(all.length / 2));
      const paged: string[] = [];
      for (let page = 1; page <= pages; page += 1) {
        const rows = await read(ctx, { page, size: 2 });
        expect(rows.length).toBeLessThanOrEqual(2);
        paged.push(...rows);
      }
      expect(paged).toEqual(all);
    },
  );
});
