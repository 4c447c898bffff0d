import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { migrate, migrateTo } from '#platform/db/migrate.ts';
import { DAY } from '#platform/durations.ts';
import { createEmptyDatabase } from '#tests/support/database/empty-database.ts';
import { serverIsReachable } from '#tests/support/database/test-database.ts';

const PAID = new Date('2026-01-01T12:00:00Z');
const DELIVERED = new Date('2026-01-03T12:00:00Z');
const RELEASED = new Date('2026-01-05T12:00:00Z');

interface OldSale {
  payment: string;
  escrow: string;
  payout?: string;
  method?: 'card' | 'crypto';
  delivered?: boolean;
  /** recorded as released by this event */
  releasedBy?: string;
  /** what the sandbox has on record */
  sandboxPaidBy?: 'card' | 'bank' | 'chain';
  /** expected: due, and looked at for reminders */
  due: boolean;
  watched: boolean;
  paidWith: string | null;
  released: Date | null;
}

const none = { due: false, watched: false, paidWith: null, released: null };
const held = { payment: 'completed', escrow: 'in_escrow' };
const done = { payment: 'completed', escrow: 'completed', payout: 'pending' };
const sales: Record<string, OldSale> = {
  unpaid: { ...none, payment: 'pending', escrow: 'pending' },
  'in escrow, by card': {
    ...none,
    ...held,
    sandboxPaidBy: 'card',
    due: true,
    watched: true,
    paidWith: 'card',
  },
  'in escrow, by bank': {
    ...none,
    ...held,
    sandboxPaidBy: 'bank',
    due: true,
    watched: true,
    paidWith: 'bank',
  },
  'in escrow, at another provider': { ...none, ...held, due: true, watched: true },
  'with documents, in crypto': {
    ...none,
    ...held,
    delivered: true,
    method: 'crypto',
    due: true,
    paidWith: 'chain',
  },
  released: { ...none, ...done, releasedBy: 'confirm_closing', released: RELEASED },
  'released, of which no event is left': { ...none, ...done, released: PAID },
  refunded: { ...none, payment: 'refunded', escrow: 'cancelled' },
};

describe('the migration to deadlines', () => {
  let db: Database;
  let close = async () => {};
  const ids = new Map<string, string>();
  let before: unknown[];

  /** The sales and tasks as stored, without what the migration adds. */
  const rows = async () => {
    const found = await sql<{ row: unknown }>`
      select to_jsonb(s) - 'updated_at' - 'documents_due_at' - 'documents_check_at' - 'documents_overdue_at'
        - 'paid_with' - 'released_at' - 'list_status' - 'paid_by' - 'share_left_cents' - 'total_fees_cents'
        - 'property_gone_at' as row from property_sales s
      union all select to_jsonb(t) - 'snoozed_until' from admin_tasks t order by row`.execute(db.q());
    return found.rows;
  };

  beforeAll(async () => {
    const own = (await serverIsReachable()) ? await createEmptyDatabase() : null;
    db = await openDatabase({ url: own?.url, dataDir: null });
    close = async () => {
      await db.close();
      await own?.drop();
    };
    await migrateTo(db, '0023_sandbox_books');
    const q = db.q();
    const [agentId, buyerId] = [randomUUID(), randomUUID()];
    await sql`insert into agents (id, name, email) values (${agentId}, 'Ada Seller', 'ada@acre.test')`.execute(
      q,
    );
    await sql`insert into users (id, name, email) values (${buyerId}, 'Bo Buyer', 'bo@acre.test')`.execute(q);
    for (const [at, [name, sale]] of Object.entries(sales).entries()) {
      const [id, propertyId] = [randomUUID(), randomUUID()];
      ids.set(name, id);
      const { payment, escrow, payout, method = 'card', delivered, releasedBy, sandboxPaidBy } = sale;
      const paid = payment !== 'pending';
      await sql`insert into properties (id, agent_id, address, price_cents, status)
        values (${propertyId}, ${agentId}, ${name}, 100, 'Active')`.execute(q);
      await sql`insert into property_sales (id, property_id, buyer_id, agent_id, sale_price_cents, admin_percentage,
          agent_commission_cents, payment_method, provider, provider_session_id, stripe_payment_status, escrow_status,
          payout_status, sale_date, receipt_number, documents_delivered_at, idempotency_key)
        values (${id}, ${propertyId}, ${buyerId}, ${agentId}, 100, 20, 80, ${method},
          ${sandboxPaidBy ? 'sandbox-card' : 'stripe'}, ${id}, ${payment}, ${escrow}, ${payout ?? null},
          ${paid ? PAID : null}, ${paid ? at : null}, ${delivered ? DELIVERED : null}, ${name})`.execute(q);
      if (releasedBy)
        await sql`insert into sale_events (sale_id, event, actor_role, before, after, created_at)
          values (${id}, ${releasedBy}, 'buyer', '{}', '{}', ${RELEASED})`.execute(q);
      if (sandboxPaidBy)
        await sql`insert into sandbox_checkouts (ref, rail, sale_id, request, amount_cents, status, paid_by,
            paid_at, fee_cents, settle_after_ms, expires_at, created_at)
          values (${id}, 'card', ${id}, '{}', 100, 'paid', ${sandboxPaidBy}, ${PAID}, 1, 0, ${PAID}, ${PAID})`.execute(
          q,
        );
    }
    await sql`insert into admin_tasks (kind, subject_type, subject_id, severity)
      values ('dispute_lost', 'sale', 'a sale', 'critical')`.execute(q);
    before = await rows();
    await migrate(db);
  });
  afterAll(() => close());

  it('keeps every row as it was', async () => {
    expect(before).toHaveLength(Object.keys(sales).length + 1);
    expect(await rows()).toEqual(before);
  });

  it.each(Object.entries(sales))('%s', async (name, expected) => {
    const sale = await db
      .q()
      .selectFrom('property_sales')
      .selectAll()
      .where('id', '=', ids.get(name) ?? '')
      .executeTakeFirstOrThrow();
    const { documents_due_at: due, documents_check_at: check } = sale;
    expect({ paidWith: sale.paid_with, released: sale.released_at }).toEqual({
      paidWith: expected.paidWith,
      released: expected.released,
    });
    // Never in the past, however long ago the sale was paid.
    const days = due && Math.round((due.getTime() - Date.now()) / DAY);
    expect([days, due && check && due.getTime() - check.getTime()]).toEqual([
      expected.due ? 14 : null,
      expected.watched ? 3 * DAY : null,
    ]);
  });

  it('keeps the kinds of tasks that there were, and adds its own', async () => {
    for (const kind of ['dispute_opened', 'documents_overdue', 'problem_overdue'] as const)
      await db
        .q()
        .insertInto('admin_tasks')
        .values({ kind, subject_type: 'sale', subject_id: 'a sale', severity: 'high' })
        .execute();
    const provider = { subject_type: 'provider', subject_id: 'stripe', severity: 'critical' } as const;
    await db
      .q()
      .insertInto('admin_tasks')
      .values({ kind: 'automatic_payouts', ...provider })
      .execute();
    await expect(
      sql`insert into admin_tasks (kind, subject_type, subject_id, severity) values ('other', 'sale', 'x', 'low')`.execute(
        db.q(),
      ),
    ).rejects.toThrow('admin_tasks_kind_check');
  });
});
