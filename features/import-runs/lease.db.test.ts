import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { HOUR } from '#platform/durations.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { createImport, worker } from '#tests/support/fixtures/imports.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { ImportFileGone, openImportFile } from './import-file.ts';
import { holdImport, LeaseLost, leaseImport, releaseImport, whileHolding } from './lease.ts';
import { importDetails } from './reads.ts';
import { LEASE_MS } from './rules.ts';

await describeOnDatabase('the imports of two sellers', (open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
  });
  afterAll(() => db.close());

  const ctx = (now = new Date()) => testContext(db, { actor: worker, now: () => now });
  /** An import that runs, of a seller of its own. */
  async function running() {
    const seller = await createUser(db, 'agent');
    const importOf = () =>
      createImport(db, { status: 'running', agentId: seller.agentId, madeBy: seller.id });
    return { seller, importOf, id: await importOf() };
  }
  async function leased(id: string, now?: Date) {
    const lease = await leaseImport(ctx(now), id);
    return lease ?? expect.unreachable('The import is not free');
  }
  const leaseOf = async (id: string) =>
    (await db.q().selectFrom('listing_imports').select('lease').where('id', '=', id).executeTakeFirst())
      ?.lease;
  const isWaiting = async (seller: Awaited<ReturnType<typeof running>>['seller'], id: string) =>
    (await importDetails(testContext(db, { actor: seller }), { importId: id })).waits;

  it('are worked on at the same time, each in its own', async () => {
    const [one, other] = [await running(), await running()];
    const waiting = await one.importOf();
    const first = await leased(one.id, new Date(Date.now() - HOUR));
    const second = await leased(other.id);
    // The first process has died; taking the other seller's import does not end its lease.
    expect([await leaseOf(one.id), await leaseOf(other.id)]).toEqual([first.lease, second.lease]);
    const third = await leased(waiting);
    expect([await leaseOf(one.id), await leaseOf(waiting)]).toEqual([null, third.lease]);
    await expect(holdImport(ctx(), first).catch((error: unknown) => error)).resolves.toBeInstanceOf(
      LeaseLost,
    );
    await expect(holdImport(ctx(), third)).resolves.toBeUndefined();
  });

  it('wait for those of the same seller alone', async () => {
    const [one, other] = [await running(), await running()];
    const [waiting, elsewhere] = [await one.importOf(), await other.importOf()];
    const first = await leased(one.id);
    expect(await isWaiting(one.seller, waiting)).toBe(true);
    expect(await isWaiting(other.seller, elsewhere)).toBe(false);
    await releaseImport(ctx(), first);
    const { rows } = await db.pool.query(
      `select data->>'importId' as id from pgboss.job where data->>'importId' = any($1)`,
      [[one.id, waiting, elsewhere, other.id]],
    );
    expect(rows).toEqual([{ id: waiting }]);
  });

  it('stay with a process that writes nothing for long', async () => {
    const { id } = await running();
    const began = Date.now();
    const clock = { now: began };
    const later = testContext(db, { actor: worker, now: () => new Date(clock.now) });
    const taken = await leased(id, new Date(began));
    const leasedUntil = async () => {
      const row = await db
        .q()
        .selectFrom('listing_imports')
        .select('leased_until')
        .where('id', '=', id)
        .executeTakeFirst();
      return row?.leased_until?.getTime();
    };
    const first = await leasedUntil();
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      await whileHolding(later, taken, async () => {
        clock.now += LEASE_MS / 2;
        vi.advanceTimersByTime(LEASE_MS / 2);
        await expect.poll(leasedUntil, { timeout: 15_000 }).toBe(clock.now + LEASE_MS);
      });
      expect(first).toBe(began + LEASE_MS);
      clock.now += LEASE_MS / 4;
      vi.advanceTimersByTime(LEASE_MS);
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
    expect(await leaseOf(id)).toBe(taken.lease);
  });

  it('have no file before one was stored', async () => {
    const opened = openImportFile(
      { ...ctx(), files: null as never },
      { importId: randomUUID(), parts: 0, name: 'homes.csv' },
    );
    await expect(opened.catch((error: unknown) => error)).resolves.toBeInstanceOf(ImportFileGone);
  });
});
