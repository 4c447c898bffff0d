import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { invalidate } from '#platform/cache.ts';
import type { Database } from '#platform/db/database.ts';
import { HOUR, MINUTE, SECOND } from '#platform/durations.ts';
import { describeOnEachDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { roundingVectors } from '#tests/support/fixtures/fee-vectors.ts';
import { buyerFees, chargedFees } from './reads.ts';

await describeOnEachDatabase('fees in the database', (open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
  });
  afterAll(() => db.close());

  it('SQL rounds as TypeScript does', async () => {
    for (const [base, percent, expected] of roundingVectors) {
      const { rows } = await sql<{ cents: number }>`select fee_cents(${base}::bigint,
        row(gen_random_uuid(), 'F', 'percentage', null, ${percent}::numeric, '{buyer}', true, 0, now(), now(), null)::service_fees) as cents`.execute(
        db.q(),
      );
      expect(rows[0]?.cents).toBe(expected);
    }
  });

  it('reads the active fees in display order, for everybody, and again after they change', async () => {
    const ctx = testContext(db);
    await db
      .q()
      .insertInto('service_fees')
      .values([
        { name: 'Second', fee_type: 'fixed', fixed_cents: 495_00, position: 2 },
        { name: 'First', fee_type: 'percentage', percent: 1.5, position: 1 },
        { name: 'Sellers pay', fee_type: 'percentage', percent: 3, applies_to: ['seller'] },
        { name: 'Switched off', fee_type: 'percentage', percent: 3, is_active: false },
      ])
      .execute();
    invalidate(db);
    expect((await buyerFees(ctx)).map((fee) => fee.name)).toEqual(['First', 'Second']);
    const charged = chargedFees(ctx).then(({ buyer, seller }) =>
      [buyer, seller].map((fees) => fees.map(({ name }) => name)),
    );
    await expect(charged).resolves.toEqual([['First', 'Second'], ['Sellers pay']]);
    await db.q().updateTable('service_fees').set({ is_active: false }).where('name', '=', 'First').execute();
    invalidate(db, 'service_fees');
    expect((await buyerFees(ctx)).map((fee) => fee.name)).toEqual(['Second']);
  });

  it('serves an older copy for an hour while the fees cannot be read', async () => {
    const ctx = testContext(db);
    const now = vi.spyOn(performance, 'now');
    const at = (ms: number) => now.mockReturnValue(ms);
    at(0);
    invalidate(db);
    const known = await buyerFees(ctx);
    expect(known).not.toEqual([]);
    await sql`alter table service_fees rename to fees_elsewhere`.execute(db.q());
    at(61 * SECOND);
    expect(await buyerFees(ctx)).toEqual(known);
    at(HOUR - SECOND);
    expect(await buyerFees(ctx)).toEqual(known);
    at(HOUR + MINUTE);
    await expect(buyerFees(ctx)).rejects.toThrow('service_fees');
    await sql`alter table fees_elsewhere rename to service_fees`.execute(db.q());
    expect(await buyerFees(ctx)).toEqual(known);
    now.mockRestore();
  });

  it('refuses a fee that is both fixed and a percentage or neither, and a percentage above 100', async () => {
    const insert = (fee: object) =>
      db
        .q()
        .insertInto('service_fees')
        .values({ name: crypto.randomUUID(), fee_type: 'percentage', ...fee })
        .execute();
    await expect(insert({})).rejects.toThrow(/check constraint/);
    await expect(insert({ percent: 1, fixed_cents: 1 })).rejects.toThrow(/check constraint/);
    await expect(insert({ percent: 100.001 })).rejects.toThrow(/check constraint/);
    await expect(insert({ percent: 1, applies_to: ['nobody'] })).rejects.toThrow(/check constraint/);
  });
});
