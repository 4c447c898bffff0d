import { rmSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { calendarAt } from '#demo/market/calendar.ts';
import { people } from '#demo/market/people.ts';
import { hashPassword } from '#platform/auth/password.ts';
import { openDatabase } from '#platform/db/database.ts';
import { freshDataDir } from '#tests/support/database/test-database.ts';
import { startProcess } from '#tests/support/server/process.ts';
import { startServer } from '#tests/support/server/server.ts';

it('a folder with demo accounts does not start with DEMO=off before they are disabled', async () => {
  const dataDir = await freshDataDir();
  try {
    const { admin } = people(calendarAt(new Date()), '');
    const db = await openDatabase({ dataDir });
    await db.q().insertInto('users').values({ id: admin.id, name: admin.name, email: admin.email }).execute();
    await db
      .q()
      .insertInto('credentials')
      .values({
        user_id: admin.id,
        account_id: admin.id,
        provider_id: 'credential',
        password: await hashPassword('AcreDemo!2026'),
      })
      .execute();
    await db.close();
    await expect(startServer({ DATA_DIR: dataDir, DEMO: 'off' })).rejects.toThrow(
      'DEMO is off, but 1 demo account in this database can be opened by anyone with the published password. ' +
        'Set DEMO=on, start on a database of its own, or disable them: npm run demo:disable',
    );
    const command = startProcess('scripts/demo-disable.ts', { DATA_DIR: dataDir, DEMO: 'off' });
    expect(await command.end()).toBe(0);
    expect(command.output()).toContain('1 demo account disabled.');
    const server = await startServer({ DATA_DIR: dataDir, DEMO: 'off' });
    // It says that it is ready before its jobs have started.
    const running = await openDatabase({ dataDir, mayShare: true });
    const scheduled = async () => (await running.pool.query('select from pgboss.schedule')).rowCount;
    await vi.waitFor(async () => expect(await scheduled()).toBeGreaterThan(0), { timeout: 60_000 });
    await running.close();
    expect(await server.stop()).toBe(0);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});
