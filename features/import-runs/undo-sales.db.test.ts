import { rmSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY, HOUR, MINUTE } from '#platform/durations.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testClock } from '#tests/support/fixtures/context.ts';
import { importFile, importScene, listingsCsv, undoFile } from '#tests/support/fixtures/imports.ts';
import { beginSale } from '#tests/support/fixtures/property-records.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { importDetails } from './reads.ts';
import { sparedBecause } from './rules.ts';

await describeOnDatabase('undoing an import of a listing with a sale', (open) => {
  let db: Database;
  let seller: UserActor;
  let clock: ReturnType<typeof testClock>;
  let scene: ReturnType<typeof importScene>;
  beforeAll(async () => {
    db = await open();
  });
  beforeEach(async () => {
    seller = await createUser(db, 'agent');
    clock = testClock();
    scene = importScene(db, clock.now);
  });
  afterAll(async () => {
    await db.close();
    rmSync(scene.folder, { recursive: true, force: true });
  });

  const failed = { escrow_status: 'cancelled', stripe_payment_status: 'failed' } as const;
  const listing = () =>
    db
      .q()
      .selectFrom('properties')
      .select(['id', 'price_cents'])
      .where('agent_id', '=', seller.agentId)
      .executeTakeFirstOrThrow();
  const begin = async (changes: Parameters<typeof beginSale>[3]) =>
    beginSale(db, (await listing()).id, seller, { created_at: clock.now(), ...changes });
  /** Imports a listing, and then another price for it after what happens in between. */
  async function repriced(between: () => Promise<void>): Promise<string> {
    await importFile(scene, seller, listingsCsv([{}]));
    clock.advance(HOUR);
    await between();
    clock.advance(90 * DAY);
    const importId = await importFile(scene, seller, listingsCsv([{ price: '500000' }]));
    expect((await listing()).price_cents).toBe(500_000_00);
    clock.advance(MINUTE);
    return importId;
  }
  async function undone(importId: string) {
    await undoFile(scene, seller, importId);
    const { restored, spared, sparedListings } = await importDetails(scene.as(seller), { importId });
    const { price_cents } = await listing();
    return { restored, spared, because: sparedListings[0]?.because ?? null, price_cents };
  }
  const restored = { restored: 1, spared: 0, because: null, price_cents: 450_000_00 };
  const spared = { restored: 0, spared: 1, because: sparedBecause.sale, price_cents: 500_000_00 };

  it('restores what was changed after a checkout that had failed months before', async () => {
    const importId = await repriced(() => begin(failed));
    expect(await undone(importId)).toEqual(restored);
  });

  it('spares a listing of which a checkout began since, also one that has failed', async () => {
    const importId = await repriced(async () => {});
    await begin(failed);
    expect(await undone(importId)).toEqual(spared);
  });

  it('spares a listing whose checkout began before and is under way', async () => {
    const importId = await repriced(async () => {});
    await begin({ created_at: new Date(clock.now().getTime() - 30 * DAY) });
    expect(await undone(importId)).toEqual(spared);
  });
});
