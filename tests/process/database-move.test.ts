import { rmSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '#platform/db/database.ts';
import { createEmptyDatabase } from '#tests/support/database/empty-database.ts';
import { freshDataDir, serverIsReachable } from '#tests/support/database/test-database.ts';
import { startProcess } from '#tests/support/server/process.ts';
import { startServer } from '#tests/support/server/server.ts';
import { startSession } from '#tests/support/server/session-cookie.ts';

const available = await serverIsReachable();
const APP_SECRET = 'a secret for tests only, long enough for its check';

describe.skipIf(!available)('a market on the embedded database', () => {
  let dataDir: string;
  let target: Awaited<ReturnType<typeof createEmptyDatabase>>;
  beforeAll(async () => {
    dataDir = await freshDataDir();
    target = await createEmptyDatabase();
  });
  afterAll(async () => {
    rmSync(dataDir, { recursive: true, force: true });
    await target.drop();
  });
  const command = (file: string, environment: Record<string, string>, args: string[] = []) =>
    startProcess(file, { DATA_DIR: dataDir, APP_SECRET, DEMO: 'on', ...environment }, args);

  it('moves to PostgreSQL with one command, and goes on there', async () => {
    const before = await startServer({ DATA_DIR: dataDir, APP_SECRET, DEMO: 'on' });
    await before.stop();
    const source = await openDatabase({ dataDir });
    const { id: buyer } = await source
      .q()
      .selectFrom('users')
      .select('id')
      .where('email', '=', 'buyer@acre.test')
      .executeTakeFirstOrThrow();
    const cookie = await startSession(source, { publicUrl: before.url, secret: APP_SECRET }, buyer);
    await source.close();

    const move = command('scripts/database-move.ts', {}, ['--to', target.url]);
    expect(await move.end(), move.output()).toBe(0);
    expect(move.output()).toMatch(/Moved \d{4,} rows of \d+ tables, and compared each of them\./);

    const environment = { DATABASE_URL: target.url };
    const after = await startServer({ DATA_DIR: dataDir, APP_SECRET, DEMO: 'on', ...environment });
    const account = await fetch(`${after.url.replace('localhost', '127.0.0.1')}/account`, {
      headers: { cookie },
    });
    expect(account.status).toBe(200);
    expect(await account.text()).toContain('buyer@acre.test');
    await after.stop();
    for (const check of ['scripts/ledger-check.ts', 'scripts/audit-check.ts']) {
      const checked = command(check, environment);
      expect(await checked.end(), checked.output()).toBe(0);
    }

    const db = await openDatabase({ url: target.url, dataDir: null });
    await expect(sql`update audit_log set action = 'other'`.execute(db.q())).rejects.toThrow();
    const { rows } = await sql<{ table: string }>`
      select conrelid::regclass::text as table from pg_constraint
      where contype = 'f' and connamespace = 'public'::regnamespace and not convalidated`.execute(db.q());
    expect(rows).toEqual([]);
    await db.close();

    const again = command('scripts/database-move.ts', {}, ['--to', target.url]);
    expect(await again.end()).toBe(1);
    expect(again.output()).toContain('The target has tables already.');
  }, 240_000);
});
