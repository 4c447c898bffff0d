import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerList } from '#features/buyers/reads.ts';
import { transactionQueryFrom } from '#features/transactions/filters.ts';
import { transactionList } from '#features/transactions/reads.ts';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { migrate, migrateTo } from '#platform/db/migrate.ts';
import { createEmptyDatabase } from '#tests/support/database/empty-database.ts';
import { serverIsReachable } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { inquiryOverview } from './reads.ts';

// What was stored before the rows had the texts that administrators search by.
describe('buyers, inquiries and sales from before', () => {
  let db: Database;
  let close = async () => {};
  const [inquiry, sale] = [randomUUID(), randomUUID()];
  beforeAll(async () => {
    const own = (await serverIsReachable()) ? await createEmptyDatabase() : null;
    db = await openDatabase({ url: own?.url, dataDir: null });
    close = async () => {
      await db.close();
      await own?.drop();
    };
    await migrateTo(db, '0057_sandbox_payouts');
    const [buyer, agent, listing] = [randomUUID(), randomUUID(), randomUUID()];
    for (const statement of [
      sql`insert into users (id, name, email) values (${buyer}, 'Early Reader', 'reader@example.test')`,
      sql`insert into profiles (id, role) values (${buyer}, 'buyer')`,
      sql`insert into agents (id, name, email) values (${agent}, 'Old Hand', 'seller@example.test')`,
      sql`insert into properties (id, agent_id, type_id, title, price_cents, address, city, state, zip)
        select ${listing}, ${agent}, id, 'House', 70000000, '1 Elm', 'Town', 'OR', '97031' from property_types limit 1`,
      sql`insert into property_inquiries (id, property_id, user_id, message)
        values (${inquiry}, ${listing}, ${buyer}, 'Is it dry?')`,
      sql`insert into property_sales (id, property_id, buyer_id, agent_id, sale_price_cents, admin_percentage,
          agent_commission_cents, payment_method, provider, stripe_payment_status, escrow_status, idempotency_key)
        values (${sale}, ${listing}, ${buyer}, ${agent}, 100, 20, 80, 'card', 'sandbox-card', 'failed', 'cancelled', 'early')`,
    ])
      await statement.execute(db.q());
    await migrate(db);
  }, 120_000);
  afterAll(() => close());

  it('are found by every text', async () => {
    const ctx = testContext(db, { actor: await createUser(db, 'admin') });
    for (const q of ['EARLY reader', '1 elm town', 'old hand', 'seller@example', '1 hand re', 'ea'])
      expect(await inquiryOverview(ctx, { q }), q).toMatchObject({ rows: [{ id: inquiry }] });
    expect((await inquiryOverview(ctx, { q: 'elsewhere' })).rows).toEqual([]);
    for (const q of ['early r', 'ea', 'reader@ e'])
      expect((await buyerList(ctx, { q })).rows, q).toMatchObject([{ email: 'reader@example.test' }]);
    for (const q of ['1', 'elm old', 'ol to 1']) {
      const query = transactionQueryFrom(new URLSearchParams({ q }));
      expect((await transactionList(ctx, query)).rows, q).toMatchObject([{ id: sale }]);
    }
  });
});
