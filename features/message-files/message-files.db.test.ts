import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { blockUser } from '#features/inquiries/commands/block-user.ts';
import { openConversation } from '#features/inquiries/commands/open-conversation.ts';
import { reportInquiry } from '#features/inquiries/commands/report-inquiry.ts';
import { sendInquiry } from '#features/inquiries/commands/send-inquiry.ts';
import { thread } from '#features/inquiries/reads.ts';
import { createFolderStore } from '#gateways/files/folder.ts';
import type { FileStore } from '#gateways/files/port.ts';
import { noScanner } from '#gateways/malware/open.ts';
import { MalwareScanError, type MalwareScanner } from '#gateways/malware/port.ts';
import { type UserActor, visitor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { NotFound, TooManyRequests, Unauthenticated } from '#platform/errors.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testConfig, testContext } from '#tests/support/fixtures/context.ts';
import { pdfFile } from '#tests/support/fixtures/documents.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser, giveAuthenticator } from '#tests/support/fixtures/users.ts';
import { openMessageFile } from './commands/open-message-file.ts';
import { sendFile } from './commands/send-file.ts';
import { MAX_FILE_BYTES, type SentFile } from './model.ts';
import { fileRefusals } from './rules.ts';

await describeOnDatabase('files in conversations', (open) => {
  let db: Database;
  let files: FileStore;
  let buyer: UserActor;
  let seller: UserActor;
  let admin: UserActor;
  let inquiryId: string;
  let keys = 0;
  const folder = mkdtempSync(join(tmpdir(), 'acre-message-files-'));
  const config = { ...testConfig, relaxedLimits: true, dataDir: folder };
  beforeAll(async () => {
    db = await open();
    files = createFolderStore({
      folder: join(folder, 'files'),
      secret: 'a secret that is long enough for tests',
    });
  });
  afterAll(async () => {
    await db.close();
    rmSync(folder, { recursive: true });
  });
  beforeEach(async () => {
    [buyer, seller, admin] = await Promise.all([
      createUser(db, 'buyer'),
      createUser(db, 'agent'),
      createUser(db, 'admin'),
    ]);
    await giveAuthenticator(db, admin.id);
    const propertyId = await createListing(db, seller.agentId);
    const sent = await sendInquiry(as(buyer), { propertyId, message: 'May I see the plan?', key: 'k' });
    if (!sent.ok) throw new Error(sent.reason);
    ({ inquiryId } = sent);
    for (const key of await stored()) await files.delete(key);
  });

  const as = (actor: UserActor, malware: MalwareScanner = noScanner) => ({
    ...testContext(db, { actor, config }),
    files,
    malware,
  });
  const stored = async () => (await files.list('messages/')).keys;
  const send = (
    actor: UserActor,
    file: SentFile | null,
    { message = '', key = `key ${keys++}`, malware = noScanner } = {},
  ) => sendFile(as(actor, malware), { inquiryId, message, file, key });
  const lastOf = async (actor: UserActor) => (await thread(as(actor), inquiryId)).messages.at(-1);
  const plan = () => ({ name: 'C:\\plans\\Ground floor.PDF', bytes: new Uint8Array(pdfFile) });

  it('are sent with a message, and read by both sides alone', async () => {
    expect(await send(seller, plan(), { message: ' Here it is. ' })).toMatchObject({ ok: true });
    const message = await lastOf(buyer);
    expect(message).toMatchObject({ text: 'Here it is.', file: { name: 'Ground floor.pdf' } });
    const fileId = message?.file?.id ?? '';
    for (const party of [buyer, seller]) {
      const link = await openMessageFile(as(party), { fileId });
      expect(link).toMatch(/^\/files\/messages\/[0-9a-f-]{36}\.pdf\?exp=\d+&name=Ground\+floor\.pdf&sig=/);
    }
    for (const other of [await createUser(db, 'buyer'), await createUser(db, 'agent'), admin])
      await expect(openMessageFile(as(other), { fileId })).rejects.toThrow(NotFound);
    // An administrator sees that there is a file, and opens it once the conversation was reported.
    const history = await openConversation(as(admin), { inquiryId });
    expect(history.messages.at(-1)?.file?.id).toBe(fileId);
    expect(history.reported).toBe(false);
    await reportInquiry(as(buyer), { inquiryId, reason: 'It is no plan.' });
    expect((await openConversation(as(admin), { inquiryId })).reported).toBe(true);
    expect(await openMessageFile(as(admin), { fileId })).toContain('/files/messages/');
    const audited = await db
      .q()
      .selectFrom('audit_log')
      .select('actor_id')
      .where('action', '=', 'inquiry.open_file')
      .where('entity_id', '=', inquiryId)
      .execute();
    expect(audited).toEqual([{ actor_id: admin.id }]);
  });

  it('keep nothing of a photo but its pixels', async () => {
    const bytes = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#356' } })
      .jpeg()
      .withExif({ IFD0: { Make: 'Secret camera' }, IFD3: { GPSLatitude: '45/1 30/1 0/1' } })
      .toBuffer();
    expect(bytes.includes('Secret camera')).toBe(true);
    expect(await send(buyer, { name: 'garden.heic.jpg', bytes: new Uint8Array(bytes) })).toMatchObject({
      ok: true,
    });
    expect(await lastOf(seller)).toMatchObject({
      text: 'garden.heic.webp',
      file: { name: 'garden.heic.webp' },
    });
    const [key = ''] = await stored();
    expect(await files.head(key)).toMatchObject({ contentType: 'image/webp' });
    const body = await new Response((await files.get(key))?.body).bytes();
    const { format, exif, width } = await sharp(body).metadata();
    expect([format, exif, width]).toEqual(['webp', undefined, 900]);
    expect(Buffer.from(body).includes('Secret camera')).toBe(false);
  });

  it('are refused when they are something else, too large, damaged or infected, and nothing is stored or sent', async () => {
    const jpeg = await readFile(new URL('../../public/favicon.svg', import.meta.url));
    const infected: MalwareScanner = {
      ...noScanner,
      scan: async () => ({ verdict: 'infected', threat: 'Eicar' }),
    };
    const silent: MalwareScanner = {
      ...noScanner,
      scan: async () => {
        throw new MalwareScanError('no answer');
      },
    };
    const damaged = new Uint8Array(Buffer.from('\xff\xd8\xff\xe0 no picture at all', 'latin1'));
    const large = new Uint8Array(MAX_FILE_BYTES + 1);
    const answerTo = (...sent: Parameters<typeof send>) =>
      send(...sent).then((result) => (result.ok ? 'sent' : `${result.field}: ${result.text}`), String);
    const texts = [
      await answerTo(buyer, null),
      await answerTo(buyer, { name: 'a.jpg', bytes: new Uint8Array() }),
      await answerTo(buyer, { name: 'a.jpg', bytes: new Uint8Array(jpeg) }),
      await answerTo(buyer, { name: 'a.pdf', bytes: large }),
      await answerTo(buyer, { name: 'a.jpg', bytes: damaged }),
      await answerTo(buyer, plan(), { malware: infected }),
      await answerTo(buyer, plan(), { malware: silent }),
    ];
    expect(texts).toEqual(
      (['none', 'none', 'format', 'too_large', 'damaged', 'infected', 'unscanned'] as const).map(
        (reason) => `file: ${fileRefusals[reason]}`,
      ),
    );
    expect(await send(buyer, plan(), { message: 'x'.repeat(4001) })).toMatchObject({ field: 'message' });
    expect(await stored()).toEqual([]);
    expect((await thread(as(buyer), inquiryId)).messages).toHaveLength(1);
  });

  it('sent twice with one form are one message, and the second copy is not kept', async () => {
    const first = await send(buyer, plan(), { key: 'same' });
    expect(await send(buyer, plan(), { key: 'same' })).toEqual(first);
    expect(await stored()).toHaveLength(1);
    expect((await thread(as(buyer), inquiryId)).messages).toHaveLength(2);
  });

  it('of another content are another message, whatever key the form has', async () => {
    const first = await send(buyer, plan(), { key: 'same', message: 'The plan' });
    const bytes = new Uint8Array([...plan().bytes, 10]);
    const second = await send(buyer, { ...plan(), bytes }, { key: 'same', message: 'The plan' });
    expect(second).toMatchObject({ ok: true });
    expect(second).not.toEqual(first);
    expect(await stored()).toHaveLength(2);
  });

  it('are limited to twenty an hour', async () => {
    const unrelaxed = { ...as(buyer), config: { ...config, relaxedLimits: false } };
    const sendOne = (key: string) => sendFile(unrelaxed, { inquiryId, message: '', file: plan(), key });
    for (let at = 0; at < 20; at += 1) await sendOne(`limited ${at}`);
    await expect(sendOne('one more')).rejects.toThrow(TooManyRequests);
    expect(await stored()).toHaveLength(20);
  });

  it('are taken from nobody who has not signed in', async () => {
    const sending = sendFile(
      { ...as(buyer), actor: visitor },
      { inquiryId, message: '', file: null, key: 'none' },
    );
    await expect(sending).rejects.toThrow(Unauthenticated);
  });

  it('are refused like words by someone who has blocked the sender, before they are looked at', async () => {
    await blockUser(as(seller), { inquiryId });
    for (const file of [plan(), { name: 'a.txt', bytes: new Uint8Array([1]) }])
      expect(await send(buyer, file)).toEqual({
        ok: false,
        field: null,
        text: 'This person is not accepting messages from you.',
      });
    expect(await stored()).toEqual([]);
  });
});
