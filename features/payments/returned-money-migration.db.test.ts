import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { migrate, migrateTo } from '#platform/db/migrate.ts';
import { createEmptyDatabase } from '#tests/support/database/empty-database.ts';
import { serverIsReachable } from '#tests/support/database/test-database.ts';

interface OldSale {
  dispute?: { status: string; kind: string };
  /** it had a checkout at a provider */
  session: boolean;
  asked: Date | null;
}

const SOON = new Date('2027-01-01T12:00:00Z');
const open = { status: 'open', kind: 'chargeback' };
const sales = {
  'with an open chargeback': { dispute: open, session: true, asked: null },
  'with an open chargeback, asked about anyway': { dispute: open, session: true, asked: SOON },
  'with an open chargeback, unknown to a provider': { dispute: open, session: false, asked: null },
  'with an open inquiry': { dispute: { status: 'open', kind: 'inquiry' }, session: true, asked: null },
  'with a problem that a buyer reported': {
    dispute: { status: 'open', kind: 'problem' },
    session: true,
    asked: null,
  },
  'with a lost chargeback': { dispute: { status: 'lost', kind: 'chargeback' }, session: true, asked: null },
  'without a dispute': { session: true, asked: null },
} satisfies Record<string, OldSale>;

describe('the migration to money that returns', () => {
  let db: Database;
  let close = async () => {};
  const ids = new Map<string, string>();
  let before: unknown[];

  const rows = async () =>
    (
      await sql`select to_jsonb(s) - 'updated_at' - 'next_ask_at' - 'property_gone_at' as row from property_sales s order by id`.execute(
        db.q(),
      )
    ).rows;

  beforeAll(async () => {
    const own = (await serverIsReachable()) ? await createEmptyDatabase() : null;
    db = await openDatabase({ url: own?.url, dataDir: null });
    close = async () => {
      await db.close();
      await own?.drop();
    };
    await migrateTo(db, '0153_scheduled_runs_not_approved');
    const [agentId, buyerId] = [randomUUID(), randomUUID()];
    await sql`insert into agents (id, name, email) values (${agentId}, 'Ada', 'ada@acre.test')`.execute(
      db.q(),
    );
    await sql`insert into users (id, name, email) values (${buyerId}, 'Bo', 'bo@acre.test')`.execute(db.q());
    for (const [name, sale] of Object.entries<OldSale>(sales)) {
      const id = randomUUID();
      ids.set(name, id);
      await writeOldSale(db, { id, agentId, buyerId }, sale);
    }
    before = await rows();
    await migrate(db);
  });
  afterAll(() => close());

  const asked = async (name: string) => {
    const id = ids.get(name) ?? '';
    const { next_ask_at } = await db
      .q()
      .selectFrom('property_sales')
      .select('next_ask_at')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return next_ask_at;
  };

  it('keeps every row as it was', async () => {
    expect(before).toHaveLength(ids.size);
    expect(await rows()).toEqual(before);
  });

  it.each(['with an open chargeback', 'with an open inquiry'])(
    'a provider is asked again about a sale %s',
    async (name) => {
      expect(Math.abs(Date.now() - Number(await asked(name)))).toBeLessThan(600_000);
    },
  );

  it('and about others as before', async () => {
    expect(await asked('with an open chargeback, asked about anyway')).toEqual(SOON);
    for (const name of [
      'with an open chargeback, unknown to a provider',
      'with a problem that a buyer reported',
      'with a lost chargeback',
      'without a dispute',
    ])
      expect([name, await asked(name)]).toEqual([name, null]);
  });
});

async function writeOldSale(
  db: Database,
  { id, agentId, buyerId }: { id: string; agentId: string; buyerId: string },
  { dispute, session, asked }: OldSale,
): Promise<void> {
  const propertyId = randomUUID();
  await sql`insert into properties (id, agent_id, address, price_cents, status)
    values (${propertyId}, ${agentId}, ${id}, 100, 'Sold')`.execute(db.q());
  await sql`insert into property_sales (id, property_id, buyer_id, agent_id, sale_price_cents, admin_percentage,
      agent_commission_cents, payment_method, provider, provider_session_id, stripe_payment_status, escrow_status,
      payout_status, sale_date, receipt_number, released_at, next_ask_at, idempotency_key)
    values (${id}, ${propertyId}, ${buyerId}, ${agentId}, 100, 20, 80, 'card', 'stripe', ${session ? id : null}, 'completed',
      'completed', 'completed', now(), nextval('receipt_numbers'), now(), ${asked}, ${id})`.execute(db.q());
  if (!dispute) return;
  const isReported = dispute.kind === 'problem';
  await sql`insert into disputes (sale_id, provider_ref, amount_cents, reason, status, kind)
    values (${id}, ${isReported ? null : `dp_${id}`}, ${isReported ? null : 100}, 'fraudulent', ${dispute.status},
      ${dispute.kind})`.execute(db.q());
}
