import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openCheckout } from '#features/checkout/commands/open-checkout.ts';
import { sendInquiry } from '#features/inquiries/commands/send-inquiry.ts';
import { sendFile } from '#features/message-files/commands/send-file.ts';
import { createFolderStore } from '#gateways/files/folder.ts';
import type { FileStore } from '#gateways/files/port.ts';
import { noScanner } from '#gateways/malware/open.ts';
import { disputeSandbox } from '#gateways/payments/sandbox/disputes.ts';
import { createSandbox } from '#gateways/payments/sandbox/provider.ts';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { DAY } from '#platform/durations.ts';
import { databaseUrl } from '#tests/support/database/empty-database.ts';
import { freshDatabase, freshDataDir, serverIsReachable } from '#tests/support/database/test-database.ts';
import { testConfig, testContext } from '#tests/support/fixtures/context.ts';
import { pdfFile } from '#tests/support/fixtures/documents.ts';
import {
  chargeFees,
  checkoutTarget,
  createSaleScenario,
  paymentsOf,
  type SaleScenario,
} from '#tests/support/fixtures/sale-scenario.ts';
import { memoryFolder } from '../../../scripts/memory-folder.mjs';
import { programFolder } from '../../../scripts/postgres.mjs';
import type { BackupMethod } from '../../../scripts/rehearsal/backup.ts';
import { embeddedBackup } from '../../../scripts/rehearsal/embedded-backup.ts';
import { postgresBackup } from '../../../scripts/rehearsal/postgres-backup.ts';
import { readOnlyDatabase } from '../../../scripts/rehearsal/read-only-database.ts';
import {
  type RehearsalOptions,
  type RehearsalReport,
  rehearse,
} from '../../../scripts/rehearsal/rehearse.ts';

// R16: a restore works. `npm run restore:rehearse` does the same with a live database.

/** A live market, the connection of the rehearsal to it, and how its database is backed up. */
interface Live {
  db: Database;
  original: Database;
  method(): BackupMethod;
  close(): Promise<void>;
}

async function liveOnServer(): Promise<Live> {
  const db = await freshDatabase('server');
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db.q());
  const url = databaseUrl(rows[0]?.name ?? '');
  const original = await openDatabase({ url, dataDir: null, poolSize: 3 });
  const close = async () => {
    await original.close();
    await db.close();
  };
  return { db, original, method: () => postgresBackup(url, url), close };
}

/** The rehearsal reaches the embedded database through the socket of the process that has it open. */
async function liveEmbedded(): Promise<Live> {
  const dataDir = await freshDataDir();
  const db = await openDatabase({ dataDir });
  const original = await openDatabase({ dataDir, mayShare: true });
  const close = async () => {
    await original.close();
    await db.close();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { db, original, method: () => embeddedBackup(dataDir, memoryFolder()), close };
}

const hasServer = (await serverIsReachable()) && programFolder(['pg_dump', 'pg_restore']) !== undefined;
const databases = [
  { name: 'embedded', open: liveEmbedded, isThere: true, isMain: !hasServer },
  {
    name: hasServer
      ? 'PostgreSQL'
      : 'PostgreSQL skipped: no server is reachable, or pg_dump is not installed',
    open: liveOnServer,
    isThere: hasServer,
    isMain: true,
  },
];

describe.each(databases)('a rehearsed restore ($name)', { timeout: 120_000 }, ({ open, isThere, isMain }) => {
  if (!isThere) return it.skip('needs PostgreSQL', () => {});
  let live: Live;
  let scenario: SaleScenario;
  let files: FileStore;
  let folder: string;
  beforeEach(async () => {
    live = await open();
    await chargeFees(live.db);
    scenario = await createSaleScenario(live.db);
    folder = mkdtempSync(join(memoryFolder(), 'acre-files-'));
    files = createFolderStore({ folder, secret: testConfig.secret });
  });
  afterEach(async () => {
    await live.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const run = (changes: Partial<RehearsalOptions> = {}): Promise<RehearsalReport> => {
    const { secret, publicUrl } = testConfig;
    const { now } = scenario.clock;
    const sandbox = (db: Database, method: 'card' | 'crypto') =>
      createSandbox({ db, method, now, secret, publicUrl });
    return rehearse({
      original: live.original,
      method: live.method(),
      openPayments: async (db) => paymentsOf(sandbox(db, 'card'), sandbox(db, 'crypto')),
      files,
      contextOf: (db) => testContext(db, { actor: { kind: 'system', name: 'test' }, now }),
      ...changes,
    });
  };
  const checkoutOf = async () => scenario.checkout(scenario.buyer, await scenario.createListing());
  const storeDocument = async (name: string) => {
    const body = Buffer.from(name);
    const digest = createHash('sha256').update(body).digest('hex');
    const key = `documents/${randomUUID()}.pdf`;
    await files.put({ key, body, contentType: 'application/pdf', sha256: digest });
    await live.db
      .q()
      .insertInto('document_registry')
      .values({
        property_id: await scenario.createListing(),
        document_name: name,
        document_type: 'deed',
        file_key: key,
        content_type: 'application/pdf',
        byte_size: body.length,
        sha256: digest,
      })
      .execute();
    return key;
  };

  const sendDocument = async () => {
    const ctx = { ...scenario.contextFor(scenario.buyer), files, malware: noScanner };
    const inquiry = await sendInquiry(ctx, {
      propertyId: await scenario.createListing(),
      message: 'Here is my proof of funds.',
      key: 'inquiry',
    });
    if (!inquiry.ok) throw new Error(inquiry.reason);
    const file = { name: 'Proof of funds.pdf', bytes: new Uint8Array(pdfFile) };
    await sendFile(ctx, { inquiryId: inquiry.inquiryId, message: '', file, key: 'file' });
    const [key = ''] = (await files.list('messages/')).keys;
    return key;
  };

  it('of a database in use is complete, and gets back from the providers what came after the backup', async () => {
    const disputed = await checkoutOf();
    await scenario.actOnCheckoutPage(disputed.ref, 'pay');
    await scenario.sync(disputed.saleId);
    const cancelled = await scenario.createPaidSale();
    await scenario.act(scenario.admin, cancelled, 'cancel_sale', 'The roof is gone.');
    const [paidLater, expired] = [await checkoutOf(), await checkoutOf()];
    await storeDocument('Deed');
    // Somebody buys all the time while the backup is made.
    let isOver = false;
    const trade = (async () => {
      for (; !isOver; ) await scenario.createPaidSale();
    })();
    const mailsBefore: string[] = [];
    const report = await run({
      afterBackup: async () => {
        isOver = true;
        await trade;
        await scenario.actOnCheckoutPage(paidLater.ref, 'pay');
        await scenario.actOnCheckoutPage(expired.ref, 'expire');
        await disputeSandbox(live.db, disputed.ref, scenario.clock.now());
        for (const { saleId } of [paidLater, expired, disputed]) await scenario.sync(saleId);
        scenario.clock.advance(DAY);
        await scenario.settle();
        scenario.clock.advance(DAY);
        await scenario.settle();
        mailsBefore.push(...(await scenario.mailsTo(scenario.buyer.email)));
      },
    });
    expect(report.faults).toEqual([]);
    // Sales of the trade that began after the snapshot are the only ones a provider cannot bring back.
    for (const loss of report.losses) expect(loss).toMatch(/^money without a sale: .* is paid, /);
    expect(report.factsHash.copy).toBe(report.factsHash.original);
    expect(report.counts.ahead).toBe(0);
    expect(report.counts.recovered).toBeGreaterThanOrEqual(4);
    expect(report.counts.newEntries - report.counts.recovered).toBe(2 * report.losses.length);
    expect(report.counts).toMatchObject({ files: 1 });
    expect(report.counts.asked).toBeGreaterThanOrEqual(4);
    expect(report.seconds.rto).toBeGreaterThan(0);
    expect(report.seconds.rpo).toBeGreaterThan(0);
    expect(await scenario.mailsTo(scenario.buyer.email)).toEqual(mailsBefore);
  });

  it('finds what was lost deliberately: a row, entries of the ledger, a file', async () => {
    const sold = await scenario.createPaidSale();
    await scenario.act(scenario.buyer, sold, 'confirm_closing');
    const key = await storeDocument('Deed');
    const sent = await sendDocument();
    for (const lost of [key, sent]) await files.delete(lost);
    const report = await run({
      afterRestore: async (copy) => {
        await sql`alter table ledger_postings disable trigger all`.execute(copy.q());
        await sql`alter table ledger_entries disable trigger all`.execute(copy.q());
        await sql`delete from ledger_postings p using ledger_entries e where e.id = p.entry_id and e.sale_id = ${sold}`.execute(
          copy.q(),
        );
        await sql`delete from ledger_entries where sale_id = ${sold}`.execute(copy.q());
        await sql`update users set name = 'Somebody else' where id = ${scenario.buyer.id}`.execute(copy.q());
      },
    });
    const found = report.faults.join('\n');
    expect(found).toContain('the ledger up to the backup differs: 0 entries of 3');
    expect(found).toContain('table ledger_entries differs: 0 rows instead of 3 rows');
    expect(found).toMatch(/table users differs: \d+ rows other content in \d+ rows/);
    for (const lost of [key, sent]) expect(found).toContain(`missing file: ${lost}`);
    expect(found).toContain('books: a released sale was posted once, another one never');
    // The payment is posted again, because its provider knows it; its cost is on record, so nobody posts that again.
    expect(report.losses).toEqual([
      expect.stringContaining(`entry of sale ${sold}: the original has cost:${sold} L1`),
    ]);
    expect(report.factsHash.copy).not.toBe(report.factsHash.original);
  });

  // What follows is the same code on both databases.
  it.runIf(isMain)('finds money paid for a sale, or a checkout, that began after the backup', async () => {
    const begun = await scenario.begin(scenario.buyer, await scenario.createListing());
    if (!begun.ok) throw new Error(begun.reason);
    const later: string[] = [];
    const report = await run({
      afterBackup: async () => {
        later.push(await scenario.createPaidSale());
        const unpaid = await checkoutOf();
        const opened = await openCheckout(scenario.contextFor(scenario.buyer), checkoutTarget(begun.saleId));
        await scenario.actOnCheckoutPage(opened.ok ? (opened.url.split('/').at(-1) ?? '') : '', 'pay');
        await scenario.sync(begun.saleId);
        expect(await scenario.state(unpaid.saleId)).toBe('pending/pending/');
      },
    });
    expect(report.faults).toEqual([]);
    expect(report.losses).toHaveLength(2);
    for (const saleId of [begun.saleId, ...later])
      expect(report.losses.join('\n')).toContain(`of sale ${saleId} is paid`);
  });

  it.runIf(isMain)('says of which sale no provider gave an answer', async () => {
    const { saleId } = await checkoutOf();
    const report = await run({ openPayments: async () => paymentsOf() });
    expect(report.faults).toEqual([`no answer: the provider of sale ${saleId} says nothing about it`]);
  });

  it.runIf(hasServer && isMain)(
    'reads the backup from the server of several that accepts writes',
    async () => {
      const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(live.db.q());
      const url = databaseUrl(rows[0]?.name ?? '');
      const { host } = new URL(url);
      const report = await run({ method: postgresBackup(url.replace(host, `${host},${host}`), url) });
      expect(report.faults).toEqual([]);
    },
  );

  it('cannot change the original', async () => {
    const readOnly = readOnlyDatabase(live.original);
    const insert = () =>
      readOnly.q().insertInto('property_types').values({ name: 'Yurt', slug: 'yurt' }).execute();
    await expect(insert()).rejects.toThrow('read-only transaction');
    await expect(readOnly.tx(insert)).rejects.toThrow('read-only transaction');
    expect(await readOnly.q().selectFrom('property_types').select('name').execute()).toHaveLength(7);
  });
});
