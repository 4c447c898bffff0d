import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { sweepPhotos } from './commands/sweep-photos.ts';

await describeOnDatabase('sweeping pictures', (open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
  });
  afterAll(() => db.close());

  const deleted = async (count: number) => {
    await sql`
      insert into stored_images (width, height, widths, placeholder, sha256, byte_size, let_go_at)
      select 320, 240, '{320}', '', n::text, 1, now() from generate_series(1, ${count}::integer) n`.execute(
      db.q(),
    );
  };
  const left = async () => (await db.q().selectFrom('stored_images').select('id').execute()).length;
  const system = () => testContext(db, { actor: { kind: 'system', name: 'jobs' } });

  it('leaves none for a later run, however many were deleted together', async () => {
    await deleted(501);
    expect(await sweepPhotos(system())).toBe(501);
    expect(await left()).toBe(0);
    const { rows } = await db.pool.query(
      `select singleton_key from pgboss.job where name = 'photos.delete-files'`,
    );
    expect(rows).toHaveLength(501);
  });

  it('goes no further than its time', async () => {
    await deleted(501);
    expect(await sweepPhotos(system(), { signal: AbortSignal.abort() })).toBe(0);
    expect(await left()).toBe(501);
  });
});
