import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { inviteSeller } from '#features/sellers/commands/invite-seller.ts';
import { mainDatabase } from '#tests/support/database/test-database.ts';
import { bounceOf } from '#tests/support/fixtures/bounce.ts';
import { systemContext } from './support/sales.ts';
import { startTestApp, type TestApp } from './support/test-app.ts';

const PATH = '/api/webhooks/mail-bounces';
const SECRET = 'the secret that the mail server shows us';
let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ MAIL_BOUNCE_SECRET: SECRET }, await mainDatabase());
});
afterAll(() => app.close());

const hand = async (body: string, authorization = `Bearer ${SECRET}`) => {
  const { status, text } = await app.call(PATH, { method: 'POST', headers: { authorization }, body });
  return [status, JSON.parse(text)];
};
const mailTo = (address: string) =>
  app.db
    .q()
    .selectFrom('mail_outbox')
    .select(['id', 'status', 'last_error', 'message_id'])
    .where('to_address', '=', address)
    .executeTakeFirstOrThrow();

it('shows an invitation that came back as bounced, and its mail among those that were not delivered', async () => {
  const email = 'moved-away@example.test';
  await inviteSeller(systemContext(app.scenario), { name: 'Ines Calloway', email });
  await vi.waitFor(async () => expect(await mailTo(email)).toMatchObject({ status: 'sent' }), 20_000);
  const { message_id: messageId } = await mailTo(email);
  const seller = async () => (await app.call(`/admin/agents?q=${email}`, { as: 'admin' })).text;
  expect(await seller()).toContain('Invitation: sent');

  const bounce = bounceOf({ messageId: messageId ?? '' });
  for (const authorization of ['', SECRET, 'Bearer ', `Bearer ${SECRET}x`])
    expect(await hand(bounce, authorization)).toEqual([401, { error: 'The secret is not accepted' }]);
  expect(await mailTo(email)).toMatchObject({ status: 'sent' });

  const received = [200, { received: true }];
  expect(await hand(bounceOf({ messageId: messageId ?? '', action: 'delayed' }))).toEqual(received);
  expect(await hand('Subject: Out of office\r\n\r\nI am away.')).toEqual(received);
  expect(await hand(bounceOf({ messageId: `<${'0'.repeat(40)}@acre.test>` }))).toEqual(received);
  expect(await mailTo(email)).toMatchObject({ status: 'sent' });

  expect(await hand(bounce)).toEqual(received);
  const reason = 'It came back: 550 5.1.1 <bea@example.test>: Recipient address rejected';
  expect(await mailTo(email)).toMatchObject({ status: 'dead', last_error: reason });
  expect(await seller()).toContain('Invitation: bounced');
  const { text } = await app.call('/admin/operations?tab=emails', { as: 'admin' });
  expect(text).toContain('It came back: 550 5.1.1');

  // Dropped by an administrator, it stays so when the report comes twice.
  const { id } = await mailTo(email);
  await app.db.q().updateTable('mail_outbox').set({ status: 'dropped' }).where('id', '=', id).execute();
  expect(await hand(bounce)).toEqual(received);
  expect(await mailTo(email)).toMatchObject({ status: 'dropped' });
});

it('refuses what cannot be read, and leaves the mails of an erased account alone', async () => {
  const parts = Array.from(
    { length: 400 },
    (_, at) => `--${at}\r\nContent-Type: multipart/mixed; boundary="${at + 1}"\r\n\r\n`,
  );
  const nested = `Content-Type: multipart/mixed; boundary="0"\r\n\r\n${parts.join('')}`;
  expect(await hand(nested)).toEqual([400, { error: 'This is no mail' }]);
  const messageId = `<${'0b'.repeat(20)}@acre.test>`;
  await app.db
    .q()
    .insertInto('mail_outbox')
    .values({
      idempotency_key: 'erased',
      to_address: 'erased-1@acre.invalid',
      subject: 'Hello',
      text_body: '',
      html_body: '',
      status: 'sent',
      message_id: messageId,
    })
    .execute();
  expect(await hand(bounceOf({ messageId }))).toEqual([200, { received: true }]);
  expect(await mailTo('erased-1@acre.invalid')).toMatchObject({ status: 'sent', last_error: null });
});
