import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseSender } from './address.ts';
import { FIXTURE_TIME, type MailerFixture, mailerContract } from './contract.ts';
import { openMailer } from './open.ts';
import { createOutboxFolderMailer } from './outbox-folder.ts';
import { listMails, readMail } from './outbox-reader.ts';
import type { Mailer } from './port.ts';

const sender = parseSender('Acre Trading Post <post@acre.test>');

mailerContract('outbox folder', async (): Promise<MailerFixture> => {
  const root = await mkdtemp(join(tmpdir(), 'acre-outbox-'));
  const folder = join(root, 'outbox');
  return {
    mailer: createOutboxFolderMailer({ folder, sender, now: () => FIXTURE_TIME }),
    async delivered() {
      const names = await readdir(folder).catch(() => []);
      return Promise.all(
        names.map(async (name) => {
          const raw = await readFile(join(folder, name));
          const { to, cc, bcc } = await PostalMime.parse(raw);
          const everyone = [...(to ?? []), ...(cc ?? []), ...(bcc ?? [])];
          return { raw, recipients: everyone.map(({ address }) => address ?? '') };
        }),
      );
    },
    async sabotage() {
      // A file in place of the folder: not even root can write there.
      await rm(folder, { recursive: true });
      await writeFile(folder, '');
    },
    stop: () => rm(root, { recursive: true, force: true }),
  };
});

describe('the folder and its reader', () => {
  let folder: string;
  let mailer: Mailer;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'acre-outbox-'));
    mailer = openMailer({ mailFrom: 'post@acre.test', folder, now: () => FIXTURE_TIME });
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const send = (idempotencyKey: string, subject = 'Hello') =>
    mailer.send({ idempotencyKey, to: { address: 'bea@acre.test' }, subject, text: 'Text', html: '<p>Html' });

  test('repeating a key, even concurrently or from another process, leaves one file', async () => {
    await Promise.all(Array.from({ length: 8 }, () => send('same')));
    await createOutboxFolderMailer({ folder, sender }).send({
      idempotencyKey: 'same',
      to: { address: 'bea@acre.test' },
      subject: 'Hello',
      text: 'Text',
    });
    expect(await readdir(folder)).toHaveLength(1);
  });

  test('names sort in the order of sending, even within one millisecond', async () => {
    for (const subject of ['one', 'two', 'three', 'four']) await send(subject, subject);
    const listed = await listMails(folder);
    expect(listed.map(({ subject }) => subject)).toEqual(['four', 'three', 'two', 'one']);
    expect(listed[3]).toMatchObject({ to: 'bea@acre.test', sentAt: FIXTURE_TIME });
    expect((await listMails(folder, 2)).map(({ subject }) => subject)).toEqual(['four', 'three']);
  });

  test('reads one mail by name', async () => {
    const { messageId } = await send('one', 'Für dich');
    const [entry] = await listMails(folder);
    expect(await readMail(folder, entry?.name ?? '')).toMatchObject({
      subject: 'Für dich',
      from: 'post@acre.test',
      messageId,
      text: expect.stringContaining('Text'),
      html: expect.stringContaining('<p>Html'),
    });
  });

  test('opens nothing but mails of this folder', async () => {
    await writeFile(join(folder, 'note.eml'), 'Subject: no\r\n\r\n');
    expect(await listMails(folder)).toEqual([]);
    expect(await readMail(folder, 'note.eml')).toBeNull();
    expect(await readMail(folder, '../../etc/passwd')).toBeNull();
    expect(await readMail(folder, `20261120T150405000Z-${'0'.repeat(40)}.eml`)).toBeNull();
    expect(await listMails(join(folder, 'absent'))).toEqual([]);
  });

  test('after a failure the same key can be sent, and no half-written file is left', async () => {
    const blocked = join(folder, 'blocked');
    await writeFile(blocked, '');
    const other = createOutboxFolderMailer({ folder: blocked, sender });
    const mail = { idempotencyKey: 'k', to: { address: 'bea@acre.test' }, subject: 'Hi', text: 'Hi' };
    await expect(other.send(mail)).rejects.toMatchObject({ code: 'unavailable' });
    await rm(blocked);
    await other.send(mail);
    expect(await readdir(blocked)).toEqual([expect.stringMatching(/^\d{8}T\d{9}Z-[0-9a-f]{40}\.eml$/)]);
  });
});

describe('MAIL_FROM', () => {
  test.each([
    ['post@acre.test', { address: 'post@acre.test' }],
    ['Acre Trading Post <post@acre.test>', { name: 'Acre Trading Post', address: 'post@acre.test' }],
    ['"Acre, Inc." <post@ACRE.test>', { name: 'Acre, Inc.', address: 'post@acre.test' }],
  ])('%j is parsed', (text, expected) => {
    expect(parseSender(text)).toEqual(expected);
  });

  test.each(['', 'Acre', 'Acre <post>', 'a@x.test, b@x.test', 'Acre <a@x.test>\r\nBcc: <b@x.test>'])(
    '%j fails at startup and names the variable',
    (mailFrom) => {
      expect(() => openMailer({ mailFrom, folder: '/nowhere' })).toThrow(/^MAIL_FROM must look like/);
    },
  );
});
