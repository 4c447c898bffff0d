import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { migrate, migrateTo } from '#platform/db/migrate.ts';
import { createEmptyDatabase } from '#tests/support/database/empty-database.ts';
import { serverIsReachable } from '#tests/support/database/test-database.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';

describe('the migration to sellers’ accounts of each account of ours', () => {
  let db: Database;
  let close = async () => {};
  const ours = { former: randomUUID(), present: randomUUID() };
  beforeAll(async () => {
    const own = (await serverIsReachable()) ? await createEmptyDatabase() : null;
    db = await openDatabase({ url: own?.url, dataDir: null });
    close = async () => {
      await db.close();
      await own?.drop();
    };
    await migrateTo(db, '0167_tours_of_property');
    for (const [name, id] of Object.entries(ours))
      await sql`insert into provider_accounts (id, provider, livemode, account_ref)
        values (${id}, 'stripe', false, ${`acct_${name}`})`.execute(db.q());
    const seller = async (ref: string, ...payouts: { of: string; paidCents: number }[]) => {
      const [{ agentId }, buyer] = [await createUser(db, 'agent'), await createUser(db, 'buyer')];
      await sql`insert into seller_accounts (agent_id, provider, livemode, ref, name, email)
        values (${agentId}, 'stripe-connect', false, ${ref}, 'Sandra Seller', 'seller@market.example')`.execute(
        db.q(),
      );
      if (payouts.length === 0) return;
      const saleId = await createSale(agentId ?? '', buyer.id);
      for (const [attempt, { of, paidCents }] of payouts.entries())
        await sql`insert into payouts (sale_id, agent_id, attempt, amount_cents, paid_cents, method, destination, provider, provider_account_id,
            livemode, idempotency_key, status, settled_at)
          values (${saleId}, ${agentId}, ${attempt + 1}, 1000, ${paidCents}, 'stripe', ${ref}, 'stripe-connect', ${of},
            false, ${`payout:${saleId}:${attempt + 1}`}, ${paidCents > 0 ? 'completed' : 'failed'}, now())`.execute(
          db.q(),
        );
    };
    await seller('acct_paid', { of: ours.former, paidCents: 1_000 }, { of: ours.present, paidCents: 0 });
    await seller('acct_refused', { of: ours.present, paidCents: 0 });
    await seller('acct_new');
    await migrate(db);
  });
  afterAll(() => close());

  async function createSale(agentId: string, buyerId: string): Promise<string> {
    const { id } = await db
      .q()
      .insertInto('property_sales')
      .values({
        property_id: await createListing(db, agentId),
        buyer_id: buyerId,
        agent_id: agentId,
        sale_price_cents: 500_000_00,
        admin_percentage: 20,
        agent_commission_cents: 400_000_00,
        payment_method: 'card',
        provider: 'stripe',
        idempotency_key: randomUUID(),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  it('names the account that has paid a seller, and leaves open what is not known', async () => {
    const rows = await db
      .q()
      .selectFrom('seller_accounts')
      .select(['ref', 'provider_account_id'])
      .orderBy('ref')
      .execute();
    expect(rows).toEqual([
      { ref: 'acct_new', provider_account_id: null },
      { ref: 'acct_paid', provider_account_id: ours.former },
      { ref: 'acct_refused', provider_account_id: null },
    ]);
  });
});
