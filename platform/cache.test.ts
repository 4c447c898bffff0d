import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '#tests/support/database/test-database.ts';
import { cached, invalidate } from './cache.ts';
import type { Database } from './db/database.ts';

await describeOnEachDatabase('the cache', (open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
  });
  afterAll(() => db.close());

  const types = () =>
    cached(db, 'property_types', 'number', async () => {
      const rows = await db.q().selectFrom('property_types').select('id').execute();
      return rows.length;
    });

  it('reads once for all requests until it is invalidated', async () => {
    let reads = 0;
    const read = () =>
      cached(db, 'property_types', 'reads', async () => {
        reads += 1;
        return reads;
      });
    expect(await Promise.all([read(), read()])).toEqual([1, 1]);
    invalidate(db, 'property_types');
    expect(await read()).toBe(2);
  });

  it('is the same for a request that reads past the replica, and is invalidated by it', async () => {
    let reads = 0;
    const read = (of: Database) =>
      cached(of, 'property_types', 'own', async () => {
        reads += 1;
        return reads;
      });
    const own: Database = { ...db, replica: db.q };
    expect([await read(db), await read(own)]).toEqual([1, 1]);
    invalidate(own, 'property_types');
    expect(await read(db)).toBe(2);
  });

  it('a transaction does not wait for the read of a request that waits for its connection', async () => {
    invalidate(db);
    let asked: Promise<number> | undefined;
    let begin = (): void => undefined;
    const started = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const transaction = db.tx(async () => {
      begin();
      while (!asked) await db.q().selectFrom('property_types').select('id').limit(1).execute();
      return types();
    });
    await started;
    asked = types();
    expect(await transaction).toBe(await asked);
  });

  it('what a transaction read before it was rolled back is not kept', async () => {
    invalidate(db);
    const before = await types();
    invalidate(db);
    const failing = db.tx(async () => {
      await db.q().insertInto('property_types').values({ name: 'Passing', slug: 'passing' }).execute();
      expect(await types()).toBe(before + 1);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await types()).toBe(before);
  });
});
