import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { withoutRowLocks } from '#tests/support/database/crash-injection.ts';
import { databaseUrl } from '#tests/support/database/empty-database.ts';
import { freshDatabase, serverIsReachable } from '#tests/support/database/test-database.ts';
import { createSaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { manyBuyers } from './buyers.ts';

// R1: a property is never sold twice. The full size is `npm run soak -- double-sale`.

const postgresAvailable = await serverIsReachable();
const title = postgresAvailable ? 'two processes on one PostgreSQL' : 'skipped: no PostgreSQL is reachable';
const SIZE = { size: 3, seed: 1, delayMs: 20 };
const INDEX = 'property_sales_one_live';

describe.skipIf(!postgresAvailable)(`many buyers of one property (${title})`, { timeout: 180_000 }, () => {
  const open: Database[] = [];
  const twoProcesses = async () => {
    const first = await freshDatabase('server');
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(first.q());
    const second = await openDatabase({ url: databaseUrl(rows[0]?.name ?? ''), dataDir: null });
    open.push(first, second);
    return [first, second] as const;
  };
  afterEach(async () => {
    for (const db of open.splice(0).reverse()) await db.close();
  });
  const dropIndex = (db: Database) => sql`drop index ${sql.ref(INDEX)}`.execute(db.q());

  it('one of fifty gets it, the others get a reason, and one payment is kept', async () => {
    const [first, second] = await twoProcesses();
    expect(await manyBuyers([first, second], first, SIZE)).toEqual({ trials: SIZE.size, findings: [] });
  });

  it('holds without the constraint thanks to the locks', async () => {
    const [first, second] = await twoProcesses();
    await dropIndex(first);
    expect((await manyBuyers([first, second], first, { ...SIZE, size: 1 })).findings).toEqual([]);
  });

  it('holds without the locks thanks to the constraint, though users would see errors', async () => {
    const [first, second] = await twoProcesses();
    const unlocked = [withoutRowLocks(first), withoutRowLocks(second)];
    const { findings } = await manyBuyers(unlocked, first, { ...SIZE, size: 1, delayMs: 0 });
    expect(findings.filter((finding) => /double|kept/.test(finding))).toEqual([]);
    expect(findings.filter((finding) => finding.includes(INDEX)).length).toBeGreaterThan(0);
  });

  it('breaks without both, and this test detects it', async () => {
    const [first, second] = await twoProcesses();
    await dropIndex(first);
    const unlocked = [withoutRowLocks(first), withoutRowLocks(second)];
    const { findings } = await manyBuyers(unlocked, first, { ...SIZE, size: 1, delayMs: 0 });
    expect(findings.join('\n')).toMatch(/double: property .* has \d+ live sales/);
  });

  it('lets one of fifty concurrent inserts pass the constraint', async () => {
    const [first, second] = await twoProcesses();
    const scenario = await createSaleScenario(first);
    const property_id = await scenario.createListing();
    const insert = (db: Database) =>
      db
        .q()
        .insertInto('property_sales')
        .values({
          property_id,
          buyer_id: scenario.buyer.id,
          agent_id: scenario.seller.agentId ?? '',
          sale_price_cents: 5,
          admin_percentage: 20,
          agent_commission_cents: 4,
          payment_method: 'card',
          provider: 'sandbox-card',
          idempotency_key: randomUUID(),
        })
        .execute();
    const all = await Promise.allSettled(
      Array.from({ length: 50 }, (_, at) => insert(at % 2 ? first : second)),
    );
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const refused = all.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []));
    expect(refused.every((reason) => reason.includes(INDEX))).toBe(true);
  });
});
