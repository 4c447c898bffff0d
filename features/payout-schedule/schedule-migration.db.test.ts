import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { migrate, migrateTo } from '#platform/db/migrate.ts';
import { createEmptyDatabase } from '#tests/support/database/empty-database.ts';
import { serverIsReachable } from '#tests/support/database/test-database.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';

const GONE = '00000000-0000-4000-8000-000000000000';

describe.skipIf(!(await serverIsReachable()))(
  'the migration to payouts that name their run (PostgreSQL)',
  () => {
    let db: Database;
    let drop: () => Promise<void>;
    beforeAll(async () => {
      const own = await createEmptyDatabase();
      drop = own.drop;
      db = await openDatabase({ url: own.url, dataDir: null });
      await migrateTo(db, '0055_transactions');
      const seller = await createUser(db, 'agent');
      const buyer = await createUser(db, 'buyer');
      const propertyId = await createListing(db, seller.agentId);
      const sale = await sql<{ id: string }>`
      insert into property_sales (property_id, buyer_id, agent_id, sale_price_cents, admin_percentage, agent_commission_cents,
        payment_method, provider, stripe_payment_status, escrow_status, payout_status, sale_date, released_at, receipt_number,
        idempotency_key)
      values (${propertyId}, ${buyer.id}, ${seller.agentId}, 100, 20, 80, 'card', 'sandbox-card', 'completed', 'completed',
        'completed', now(), now(), 1, 'k') returning id`.execute(db.q());
      const run = await sql<{ id: string }>`
      insert into payout_runs (idempotency_key, origin, status, payout_count, total_cents, requested_at, finished_at)
      values ('schedule:daily', 'schedule', 'finished', 1, 80, now(), now()) returning id`.execute(db.q());
      for (const [attempt, runId] of [GONE, run.rows[0]?.id].entries())
        await sql`insert into payouts (sale_id, agent_id, attempt, run_id, amount_cents, method, destination, idempotency_key, status)
        values (${sale.rows[0]?.id}, ${seller.agentId}, ${attempt + 1}, ${runId}, 80, 'manual', '', ${`k${attempt}`}, 'failed')`.execute(
          db.q(),
        );
      await sql`insert into scheduled_payouts (period, due_at, ran_at, run_id) values ('gone', now(), now(), ${GONE}),
      ('kept', now(), now(), ${run.rows[0]?.id})`.execute(db.q());
      await migrate(db);
    });
    afterAll(async () => {
      await db.close();
      await drop();
    });

    it('loses no payout and no period', async () => {
      const named = async (table: 'payouts' | 'scheduled_payouts', order: string) =>
        (
          await sql<{ named: boolean }>`select run_id is not null as named from ${sql.table(table)}
        order by ${sql.ref(order)}`.execute(db.q())
        ).rows.map((row) => row.named);
      expect(await named('payouts', 'attempt')).toEqual([false, true]);
      expect(await named('scheduled_payouts', 'period')).toEqual([false, true]);
      await expect(sql`update payouts set run_id = ${GONE}`.execute(db.q())).rejects.toThrow(
        /payouts_run_id_fkey/,
      );
    });
  },
);
