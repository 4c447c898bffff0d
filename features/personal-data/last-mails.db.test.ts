import { CompiledQuery, sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { deliverMail, dropMail, queueMail, type SendMail } from '#platform/outbox/outbox.ts';
import { databaseWithInterceptor } from '#tests/support/database/query-interception.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import {
  contextForCookie,
  createAccount,
  PASSWORD,
  signInCookie,
  visitorContext,
} from '#tests/support/fixtures/accounts.ts';
import { closeAccount } from './commands/close-account.ts';

await describeOnDatabase('mails that an account is still to be sent when it is closed', (open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
  });
  afterAll(() => db.close());

  const mails = (ids: string[]) =>
    db.q().selectFrom('mail_outbox').selectAll().where('id', 'in', ids).orderBy('created_at').execute();
  /** Closes a new account, and returns its former address and the ids of all mails to it, none of which was sent. */
  async function closedAccount(email: string) {
    const id = await createAccount(db, email);
    const { ctx } = await contextForCookie(db, await signInCookie(db, email));
    await queueMail(ctx, {
      idempotencyKey: `test:${id}`,
      to: { address: email, name: 'Wilma Ostrander' },
      subject: 'A new message for Wilma',
      text: 'Hello Wilma',
      html: '<p>Hello Wilma</p>',
      unsubscribeUrl: 'http://localhost/unsubscribe?token=wilma',
    });
    expect(await closeAccount(ctx, { password: PASSWORD })).toMatchObject({ ok: true });
    const rows = await db
      .q()
      .selectFrom('mail_outbox')
      .select('id')
      .where('to_address', '=', email)
      .execute();
    return { id, ids: rows.map((row) => row.id) };
  }
  const deliver = async (ids: string[], send: SendMail) => {
    const attempt = { number: 1, last: false, signal: new AbortController().signal };
    for (const id of ids) await deliverMail(send).run(visitorContext(db), { id }, attempt);
  };
  const erased = (id: string) => ({
    to_address: `${id}@closed.invalid`,
    to_name: null,
    subject: '',
    text_body: '',
    html_body: '',
    unsubscribe_url: null,
    last_error: null,
  });

  it('are sent, and keep neither address nor text', async () => {
    const email = 'wilma.ostrander@example.test';
    const { id, ids } = await closedAccount(email);
    expect(ids).toHaveLength(3);
    const sent: Parameters<SendMail>[0][] = [];
    await deliver(ids, async (mail) => {
      sent.push(mail);
      return { messageId: `<${sent.length}@acre.test>` };
    });
    expect(sent.map(({ to, subject }) => [to.address, subject])).toContainEqual([
      email,
      'Your account is closed',
    ]);
    expect(await mails(ids)).toEqual(
      ids.map(() => expect.objectContaining({ ...erased(id), status: 'sent' })),
    );
    expect(JSON.stringify(await mails(ids)).toLowerCase()).not.toContain('wilma');
  });

  it('that cannot be sent keep neither of them, nor what the mail server said', async () => {
    const { id, ids } = await closedAccount('wilma.undelivered@example.test');
    await deliver(ids, async ({ to }) => {
      throw Object.assign(new Error(`no mailbox ${to.address}`), { retryable: false });
    });
    expect(await mails(ids)).toEqual(
      ids.map(() => expect.objectContaining({ ...erased(id), status: 'dead' })),
    );
    for (const one of ids) expect(await dropMail({ db }, one)).toBe(true);
  });

  it('are found without reading the mails of others', async () => {
    const email = 'wilma.indexed@example.test';
    await createAccount(db, email);
    const { ctx } = await contextForCookie(db, await signInCookie(db, email));
    const updates: [string, unknown[]][] = [];
    const noted = databaseWithInterceptor(db, (run) => (text, values) => {
      if (text.startsWith('update "mail_outbox"')) updates.push([text, [...(values ?? [])]]);
      return run(text, values);
    });
    expect(await closeAccount({ ...ctx, db: noted }, { password: PASSWORD })).toMatchObject({ ok: true });
    expect(updates).toHaveLength(1);
    for (const [text, values] of updates) {
      const plan = await db.tx(async () => {
        await sql`set local enable_seqscan = off`.execute(db.q());
        const explained = CompiledQuery.raw(`explain ${text}`, values);
        return JSON.stringify((await db.q().executeQuery(explained)).rows);
      });
      expect(plan).not.toContain('Seq Scan');
    }
  });
});
