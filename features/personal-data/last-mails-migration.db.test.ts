import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { migrate, migrateTo } from '#platform/db/migrate.ts';
import { createEmptyDatabase } from '#tests/support/database/empty-database.ts';
import { serverIsReachable } from '#tests/support/database/test-database.ts';

// What accounts left behind that were closed while mails to them were still to be sent.
describe('mails to accounts closed before', () => {
  let db: Database;
  let close = async () => {};
  const [closed, present] = [randomUUID(), randomUUID()];
  const ADDRESS = 'wilma@example.test';
  beforeAll(async () => {
    const own = (await serverIsReachable()) ? await createEmptyDatabase() : null;
    db = await openDatabase({ url: own?.url, dataDir: null });
    close = async () => {
      await db.close();
      await own?.drop();
    };
    await migrateTo(db, '0145_schedule_set_by');
    const mail = (key: string, subject: string, at: string, status: string) =>
      sql`insert into mail_outbox (idempotency_key, to_address, to_name, subject, text_body, html_body, status, created_at)
        values (${key}, ${ADDRESS}, 'Wilma', ${subject}, 'Hello', 'Hello', ${status}, ${at})`;
    for (const statement of [
      sql`insert into users (id, name, email, closed_at)
        values (${closed}, 'Former buyer', ${`${closed}@closed.invalid`}, '2026-11-02T12:00:00Z')`,
      // The address was free again.
      sql`insert into users (id, name, email) values (${present}, 'Wilma', ${ADDRESS})`,
      mail(`account.closed:${closed}`, 'Your account is closed', '2026-11-02T12:00:00Z', 'sent'),
      mail('message:1', 'New message', '2026-11-02T11:59:00Z', 'queued'),
      mail('message:2', 'A later one', '2026-11-09T12:00:00Z', 'sent'),
    ])
      await statement.execute(db.q());
    await migrate(db);
  }, 120_000);
  afterAll(() => close());

  it('lose address and text, those to a later account with the address keep them', async () => {
    const mails = () =>
      db
        .q()
        .selectFrom('mail_outbox')
        .select(['to_address', 'to_name', 'subject', 'text_body', 'html_body'])
        .orderBy('idempotency_key')
        .execute();
    const erased = {
      to_address: `${closed}@closed.invalid`,
      to_name: null,
      subject: '',
      text_body: '',
      html_body: '',
    };
    const kept = { to_address: ADDRESS, to_name: 'Wilma' };
    const later = { ...kept, subject: 'A later one' };
    expect(await mails()).toMatchObject([erased, { ...kept, subject: 'New message' }, later]);
    await sql`update mail_outbox set status = 'sent' where status = 'queued'`.execute(db.q());
    expect(await mails()).toMatchObject([erased, erased, later]);
  });
});
