import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { migrate, migrateTo } from '#platform/db/migrate.ts';
import { createEmptyDatabase } from '#tests/support/database/empty-database.ts';
import { serverIsReachable } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { chargeFees } from '#tests/support/fixtures/sale-scenario.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { chainAudit } from './commands/chain-audit.ts';
import { checkAudit } from './reads.ts';

describe.skipIf(!(await serverIsReachable()))('the migration to a chained audit log (PostgreSQL)', () => {
  let db: Database;
  let drop: () => Promise<void>;
  beforeAll(async () => {
    const own = await createEmptyDatabase();
    drop = own.drop;
    db = await openDatabase({ url: own.url, dataDir: null });
    await migrateTo(db, '0020_admin_tasks');
    const seller = await createUser(db, 'agent');
    const buyer = await createUser(db, 'buyer');
    const propertyId = await createListing(db, seller.agentId, { status: 'escrow', listed_at: new Date() });
    await sql`update agents set status = 'suspended', commission_rate = 7.5, paypal_email = 'a@example.test'`.execute(
      db.q(),
    );
    await createListing(db, seller.agentId, { status: 'pending', deleted_at: new Date() });
    await chargeFees(db);
    await sql`insert into commission_settings (admin_percentage) values (18)`.execute(db.q());
    await sql`insert into platform_settings (setting_name, setting_value) values ('brand', '"Acre"')`.execute(
      db.q(),
    );
    const { rows } = await sql<{
      id: string;
    }>`insert into property_sales (property_id, buyer_id, agent_id, sale_price_cents,
        admin_percentage, agent_commission_cents, payment_method, provider, stripe_payment_status, escrow_status, sale_date,
        receipt_number, idempotency_key)
      values (${propertyId}, ${buyer.id}, ${seller.agentId}, 100, 20, 80, 'card', 'sandbox-card', 'completed', 'in_escrow', now(), 1,
        'k') returning id`.execute(db.q());
    await sql`insert into sale_events (sale_id, event, actor_role, before, after)
      values (${rows[0]?.id}, 'begin', 'buyer', 'null', '{}')`.execute(db.q());
    await sql`insert into property_changes (property_id, field, previous_value, new_value)
      values (${propertyId}, 'status', 'Active', 'escrow')`.execute(db.q());
    await sql`insert into audit_log (actor_role, action, entity, entity_id, request_id)
      values ('admin', 'listing.approve', 'property', ${propertyId}, 'old')`.execute(db.q());
    await sql`insert into admin_tasks (kind, subject_type, subject_id, severity)
      values ('message_dead', 'provider_event', '1', 'critical')`.execute(db.q());
    await migrate(db);
  });
  afterAll(async () => {
    await db.close();
    await drop();
  });

  it('takes over every state there is, and chains the rows there are', async () => {
    const ctx = testContext(db, { actor: { kind: 'system', name: 'test' }, now: () => new Date() });
    const { rows } = await sql<{ n: number }>`select count(*) as n from audit_log`.execute(db.q());
    expect(await chainAudit(ctx)).toBe(rows[0]?.n);
    expect(await checkAudit(ctx)).toMatchObject({ findings: [], total: 0, head: { position: rows[0]?.n } });
  });

  it('keeps the kinds of tasks that there are', async () => {
    const insert = (kind: string) =>
      db.pool.query(
        `insert into admin_tasks (kind, subject_type, subject_id, severity) values ('${kind}', 'sale', '2', 'low')`,
      );
    for (const kind of ['payment_mismatch', 'refund_overdue', 'audit_broken']) await insert(kind);
    await expect(insert('made_up')).rejects.toThrow('admin_tasks_kind_check');
  });
});
