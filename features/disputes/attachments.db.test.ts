import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { insertDocument } from '#features/documents/insert-document.ts';
import { createFolderStore } from '#gateways/files/folder.ts';
import { type FileStore, FileStoreError } from '#gateways/files/port.ts';
import type { DisputeEvidence } from '#gateways/payments/port.ts';
import { disputeSandbox } from '#gateways/payments/sandbox/disputes.ts';
import type { Database } from '#platform/db/database.ts';
import { withPortOverrides } from '#tests/support/database/crash-injection.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { answerDispute } from './commands/answer-dispute.ts';
import { submitEvidence } from './commands/submit-evidence.ts';
import { saleDisputes } from './reads.ts';

await describeOnDatabase('evidence for a dispute is sent', (open) => {
  let db: Database;
  let scenario: SaleScenario;
  let files: FileStore;
  let saleId: string;
  const folder = mkdtempSync(join(tmpdir(), 'acre-evidence-'));
  beforeAll(async () => {
    db = await open();
  });
  afterAll(async () => {
    await db.close();
    rmSync(folder, { recursive: true });
  });
  beforeEach(async () => {
    files = createFolderStore({ folder, secret: 'a secret that is long enough for tests' });
    scenario = await createSaleScenario(db);
    saleId = await scenario.createPaidSale();
  });

  /** The payer's bank takes the payment back, and an administrator answers; the answer is not sent yet. */
  async function answer(): Promise<void> {
    const { provider_session_id: ref } = await scenario.sale(saleId);
    await disputeSandbox(db, ref ?? '', scenario.clock.now());
    await scenario.sync(saleId);
    const { id } = await db
      .q()
      .selectFrom('disputes')
      .select('id')
      .where('sale_id', '=', saleId)
      .executeTakeFirstOrThrow();
    expect(
      await answerDispute(scenario.contextFor(scenario.admin), { disputeId: id, statement: '' }),
    ).toEqual({
      ok: true,
    });
  }
  const recorded = () =>
    db
      .q()
      .selectFrom('dispute_evidence as e')
      .innerJoin('disputes as d', 'd.id', 'e.dispute_id')
      .select(['e.id', 'e.state', 'e.texts'])
      .where('d.sale_id', '=', saleId)
      .executeTakeFirstOrThrow();

  /** Adds a document that both parties see; its bytes are in the store unless `stored` is false. */
  async function deliver(
    name: string,
    {
      type = 'Deed' as 'Deed' | 'Contract' | 'Other',
      bytes = Buffer.from(name),
      stored = true,
      contentType = 'application/pdf',
    } = {},
  ) {
    scenario.clock.advance(1_000);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const key = `documents/${randomUUID()}.${contentType === 'application/pdf' ? 'pdf' : 'docx'}`;
    if (stored) await files.put({ key, body: bytes, contentType, sha256 });
    const { property_id: propertyId } = await scenario.sale(saleId);
    const document = { key, name, contentType, bytes: bytes.length, sha256, scan: 'clean' as const };
    const row = { propertyId, saleId, type, shownTo: 'parties' as const, uploadedBy: scenario.seller.id };
    return insertDocument(scenario.contextFor(scenario.seller), { ...row, document });
  }
  /** The files that go to the provider. */
  async function sentFiles(isLast = false): Promise<string[][]> {
    const sent: string[][] = [];
    const payments = withPortOverrides(scenario.payments, (port) => ({
      submitEvidence: (evidence, key) => {
        for (const { kind, bytes } of evidence.files)
          if (kind !== 'receipt') sent.push([kind, Buffer.from(bytes).toString()]);
        return port.submitEvidence?.(evidence, key) ?? Promise.reject(new Error('It takes no evidence'));
      },
    }));
    const { id: evidenceId } = await recorded();
    await submitEvidence({ ...scenario.system, payments, files }, { evidenceId, isLast });
    return sent;
  }

  it('with the newest deed and contract as files; what is no PDF or too large is named alone', async () => {
    await deliver('Old deed.pdf');
    await deliver('Deed.pdf');
    await deliver('Deed.docx', {
      contentType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    });
    await deliver('Contract.pdf', { type: 'Contract' });
    await deliver('Plan.pdf', { type: 'Other' });
    await deliver('Scans.pdf', { type: 'Contract', bytes: Buffer.alloc(4_000_000, 'scan') });
    await answer();
    expect(await sentFiles()).toEqual([
      ['service_documentation', 'Deed.pdf'],
      ['other', 'Contract.pdf'],
    ]);
    const { statement = '' } = (await recorded()).texts as DisputeEvidence['texts'];
    const line = (name: string) => statement.split('\n').find((one) => one.includes(` ${name} `)) ?? '';
    for (const name of ['Deed.pdf', 'Contract.pdf']) expect(line(name)).toMatch(/ · attached$/);
    for (const name of ['Deed.docx', 'Plan.pdf', 'Scans.pdf'])
      expect(line(name)).toMatch(/SHA-256 [0-9a-f]{64}$/);
    const [shown] = await saleDisputes(scenario.contextFor(scenario.admin), { saleId });
    expect(shown?.answer?.texts.at(-1)).toEqual({
      label: 'Attached documents',
      text: 'Deed.pdf\nContract.pdf',
    });
  });

  it('without documents whose files are gone', async () => {
    await deliver('Lost deed.pdf', { stored: false });
    const { id: erased } = await deliver('Contract.pdf', { type: 'Contract' });
    await answer();
    await db
      .q()
      .updateTable('document_registry')
      .set({ erased_at: new Date() })
      .where('id', '=', erased)
      .execute();
    expect(await sentFiles()).toEqual([]);
    expect((await recorded()).state).toBe('submitted');
  });

  it('at the last try without documents that cannot be read, before that not at all', async () => {
    await deliver('Deed.pdf');
    await answer();
    files = { ...files, get: () => Promise.reject(new FileStoreError('unavailable', 'The store is away')) };
    await expect(sentFiles()).rejects.toThrow('The store is away');
    expect((await recorded()).state).toBe('pending');
    expect(await sentFiles(true)).toEqual([]);
    expect((await recorded()).state).toBe('submitted');
  });
});
