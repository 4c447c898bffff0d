import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fileCid } from '#gateways/content/cid.ts';
import { createFolderStore } from '#gateways/files/folder.ts';
import type { FileStore } from '#gateways/files/port.ts';
import { attachmentDisposition } from '#gateways/files/validation.ts';
import { noScanner } from '#gateways/malware/open.ts';
import { seededRandom } from '#illustrator/random.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { TooManyRequests } from '#platform/errors.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testConfig, testContext } from '#tests/support/fixtures/context.ts';
import { compoundFile, pdfFile, zipFile } from '#tests/support/fixtures/documents.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { insertDocument } from './insert-document.ts';
import { MAX_DOCUMENT_BYTES } from './model.ts';
import { documentRefusals } from './rules.ts';
import { storeUpload } from './store-upload.ts';

const SEED = 20_261_120;
const TYPES = {
  pdf: 'application/pdf',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
};

await describeOnDatabase('hostile uploads', (open) => {
  let db: Database;
  let admin: UserActor;
  let files: FileStore;
  const folder = mkdtempSync(join(tmpdir(), 'acre-hostile-'));
  beforeAll(async () => {
    db = await open();
    admin = await createUser(db, 'admin');
    files = createFolderStore({ folder, secret: 'a secret that is long enough for tests' });
  });
  afterAll(async () => {
    await db.close();
    rmSync(folder, { recursive: true });
  });
  const ctx = () => ({
    ...testContext(db, { actor: admin, config: { ...testConfig, relaxedLimits: true } }),
    files,
    malware: noScanner,
  });
  /** Uploads, and checks what must be true of anything that is accepted. */
  async function upload(bytes: Uint8Array, name = 'survey.pdf') {
    const before = (await files.list('documents/')).keys.length;
    const result = await storeUpload(ctx(), { bytes, name }, admin.id);
    const keys = (await files.list('documents/')).keys;
    if (!result.ok) {
      expect(keys).toHaveLength(before);
      expect(result.text).toBe(documentRefusals[result.reason]);
      return result.reason;
    }
    const { document } = result;
    const format = document.key.split('.').at(-1) as keyof typeof TYPES;
    expect(document.contentType).toBe(TYPES[format]);
    expect(document.key).toMatch(/^documents\/[0-9a-f-]{36}\.(pdf|docx?)$/);
    expect(document.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect(document.cid).toBe(fileCid(bytes));
    expect(document.name.endsWith(`.${format}`)).toBe(true);
    expect(document.name).not.toMatch(/[/\\\p{C}]|^\./u);
    expect(document.name.length).toBeLessThanOrEqual(130);
    expect(attachmentDisposition(document.name)).toMatch(
      /^attachment; filename="[\x20-\x7e]+"; filename\*=UTF-8''[\x21-\x7e]+$/,
    );
    expect((await files.head(document.key))?.sha256).toBe(document.sha256);
    // What the name became can be registered.
    const { id } = await insertDocument(ctx(), {
      propertyId: null,
      agentId: null,
      type: 'Other',
      uploadedBy: admin.id,
      document,
    });
    expect(id).toBeTruthy();
    return format;
  }

  it.each([
    ['a page', '<!doctype html><script>alert(1)</script>'],
    ['a page after white space and a mark', '\u00ef\u00bb\u00bf \r\n <html>'],
    ['an SVG drawing', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)">'],
    ['a GIF', 'GIF89a\u0001\u0000\u0001\u0000'],
    ['a PNG', '\u0089PNG\r\n\u001a\n'],
    ['a JPEG', '\u00ff\u00d8\u00ff\u00e0'],
    ['a program', 'MZ\u0090\u0000'],
    ['another program', '\u007fELF\u0002'],
    ['a script', '#!/bin/sh\nrm -rf ~\n'],
    ['an archive', 'PK\u0003\u0004'],
    ['a Java class', '\u00ca\u00fe\u00ba\u00be'],
    ['JSON', '{"a":1}'],
  ])('that begin as %s are refused, although a PDF follows', async (_, start) => {
    const sent = upload(Buffer.concat([Buffer.from(start, 'latin1'), pdfFile]));
    await expect(sent).resolves.toBe('format');
  });

  it('that are a PDF and something else behind it stay a PDF', async () => {
    for (const rest of [zipFile(), compoundFile(), Buffer.from('<script>alert(1)</script>')])
      expect(await upload(Buffer.concat([pdfFile, rest]), 'page.html')).toBe('pdf');
  });

  it('that claim to be huge inside are not opened, and take no time', async () => {
    const bomb = zipFile();
    // Every size in the directory says 4 GB.
    for (
      let at = bomb.indexOf('PK\u0001\u0002', 0, 'latin1');
      at >= 0;
      at = bomb.indexOf('PK\u0001\u0002', at + 1, 'latin1')
    )
      bomb.fill(0xff, at + 20, at + 28);
    const many = zipFile([
      '[Content_Types].xml',
      'word/document.xml',
      ...Array.from({ length: 60_000 }, (_, index) => `word/${index}.xml`),
    ]);
    const loop = zipFile();
    // The directory begins where it ends.
    loop.writeUInt32LE(loop.length - 22, loop.length - 6);
    expect(await upload(bomb)).toBe('docx');
    expect(await upload(many)).toBe('docx');
    expect(await upload(loop)).toBe('format');
    expect(await upload(Buffer.concat([pdfFile, Buffer.alloc(1_000_000, '<<')]))).toBe('pdf');
  });

  it('that are larger than a document are refused before anything looks at them', async () => {
    expect(await upload(Buffer.alloc(MAX_DOCUMENT_BYTES + 1, pdfFile))).toBe('too_large');
    expect(await upload(Buffer.alloc(0))).toBe('empty');
  });

  it('are thirty an hour for each user, also of what is refused', async () => {
    const limited = { ...ctx(), config: { ...testConfig, relaxedLimits: false } };
    const send = ({ id }: UserActor) =>
      storeUpload(limited, { name: 'deed.pdf', bytes: Buffer.alloc(0) }, id);
    const hasty = await createUser(db, 'agent');
    for (let count = 0; count < 30; count += 1) await send(hasty);
    await expect(send(hasty)).rejects.toBeInstanceOf(TooManyRequests);
    expect(await send(await createUser(db, 'agent'))).toMatchObject({ reason: 'empty' });
  });

  it.each([
    '../../../etc/passwd',
    '..\\..\\windows\\system32\\cmd.exe',
    'C:\\Users\\ada\\deed.pdf',
    '/absolute/deed.pdf',
    'deed.pdf\u0000.exe',
    'deed\r\nSet-Cookie: a=b.pdf',
    '"; filename="evil.exe',
    '\u202efdp.exe',
    '<img src=x onerror=alert(1)>.pdf',
    "'; drop table users; --.pdf",
    '%2e%2e%2fdeed.pdf',
    '.htaccess',
    'CON',
    '....',
    ' ',
    '\ud800.pdf',
    '👩‍👩‍👧‍👧'.repeat(60),
    'a'.repeat(100_000),
    'ﷺ'.repeat(200),
  ])('named %j are kept under a harmless name', async (name) => {
    expect(await upload(pdfFile, name)).toBe('pdf');
  });

  it('made by chance are accepted or refused, and never break anything', async () => {
    const random = seededRandom(SEED);
    const below = (limit: number) => Math.floor(random() * limit);
    const starts = [pdfFile, zipFile(), compoundFile(), Buffer.from('<html>'), Buffer.alloc(0)];
    for (let trial = 0; trial < 250; trial += 1) {
      const pieces = Array.from({ length: 1 + below(3) }, () => starts[below(starts.length)] ?? pdfFile);
      const bytes = Buffer.concat([...pieces, Buffer.alloc(below(300), below(256))]);
      for (let change = below(12); change > 0 && bytes.length > 0; change -= 1)
        bytes[below(bytes.length)] = below(256);
      const name = String.fromCharCode(...Array.from({ length: below(40) }, () => below(0x10000)));
      await upload(bytes.subarray(0, bytes.length - below(bytes.length / 4)), name);
    }
  });
});
