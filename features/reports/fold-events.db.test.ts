import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { freshDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { foldReportEvents } from './commands/fold-events.ts';

it('lets others have the embedded database while it folds many events', async () => {
  const db = await freshDatabase('embedded');
  const ctx = testContext(db, { actor: { kind: 'system', name: 'test' } });
  const waiting = async () =>
    Number((await db.pool.query('select count(*) as n from report_events')).rows[0].n);
  await sql`insert into report_events (metric, at, value) select 'buyers', '2026-11-20T12:00:00Z', 1 from generate_series(1, 12_000)`.execute(
    db.q(),
  );
  const folded = foldReportEvents(ctx);
  // Asked while the first of them are being folded, and so the next to be answered.
  expect([await waiting(), await waiting()]).toEqual([7_000, 2_000]);
  await folded;
  expect(await waiting()).toBe(0);
  await db.close();
});
