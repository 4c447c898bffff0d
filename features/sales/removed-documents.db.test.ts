import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { scanHeldDocuments } from '#features/documents/commands/scan-held-documents.ts';
import { documentsOfSale } from '#features/documents/reads.ts';
import type { SaleUpload } from '#features/documents/sale-files.ts';
import { createFolderStore } from '#gateways/files/folder.ts';
import type { FileStore } from '#gateways/files/port.ts';
import { EICAR } from '#gateways/malware/contract.ts';
import { noScanner } from '#gateways/malware/open.ts';
import { MalwareScanError, type MalwareScanner } from '#gateways/malware/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import type { Actor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY, HOUR } from '#platform/durations.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { pdfFile } from '#tests/support/fixtures/documents.ts';
import { createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { addSaleDocuments } from './commands/add-sale-documents.ts';
import { deliverDocuments } from './commands/deliver-documents.ts';
import { restartRelease } from './commands/restart-release.ts';
import { takeBackDelivery } from './commands/take-back-delivery.ts';
import { availableActions } from './components/sale-actions.ts';
import { saleView } from './reads.ts';
import { factsOf, lockSale, stateOf } from './sale-row.ts';
import { transitionSale } from './transition-sale.ts';
import { resolveTransition } from './transitions.ts';

const silent: MalwareScanner = {
  ...noScanner,
  scan: () => Promise.reject(new MalwareScanError('It does not answer')),
};
const awake: MalwareScanner = {
  ...noScanner,
  scan: async (bytes) =>
    Buffer.from(bytes).includes(EICAR) ? { verdict: 'infected', threat: 'x' } : { verdict: 'clean' },
};
const file = (name: string, contents: string | Uint8Array): SaleUpload => ({
  field: 'deed',
  name,
  bytes: Buffer.concat([pdfFile, Buffer.from(contents)]),
});
const infected = file('Deed.pdf', EICAR);
const REMOVED = 'The documents for 48 Larkspur Lane were removed';
const DOWNLOADABLE = 'The documents for 48 Larkspur Lane can be downloaded';

await describeOnDatabase('delivered documents that turn out to be malware', (open) => {
  let db: Database;
  let scenario: SaleScenario;
  let files: FileStore;
  let saleId: string;
  const folder = mkdtempSync(join(tmpdir(), 'acre-removed-documents-'));
  beforeAll(async () => {
    db = await open();
    files = createFolderStore({ folder, secret: 'a secret that is long enough for tests' });
  });
  beforeEach(async () => {
    scenario = await createSaleScenario(db);
    saleId = await scenario.createPaidSale();
  });
  afterAll(async () => {
    await db.close();
    rmSync(folder, { recursive: true });
  });

  const as = (actor: Actor, malware: MalwareScanner): CtxWith<'files' | 'malware'> => ({
    ...scenario.contextFor(actor),
    files,
    malware,
  });
  const deliver = async (uploads: SaleUpload[], malware = silent) =>
    expect(await deliverDocuments(as(scenario.seller, malware), { saleId, files: uploads })).toEqual({
      ok: true,
    });
  const scan = () =>
    scanHeldDocuments(as({ kind: 'system', name: 'jobs' }, awake), {
      removed: takeBackDelivery,
      released: restartRelease,
    });
  const move = (event: 'freeze_sale' | 'unfreeze_sale') =>
    db.tx(async () => {
      const sale = await lockSale(scenario.system, saleId);
      if (sale) await transitionSale(scenario.system, { sale, event, by: 'system' });
    });
  const tasks = async () => {
    const rows = await db
      .q()
      .selectFrom('admin_tasks')
      .select(['id', 'kind'])
      .where('subject_id', '=', saleId)
      .where('closed_at', 'is', null)
      .execute();
    return rows.map(({ kind }) => kind);
  };
  const documents = async () => (await documentsOfSale(as(scenario.buyer, awake), saleId)).length;
  const releaseMails = async (to: string) => {
    const rows = await db
      .q()
      .selectFrom('mail_outbox')
      .select('text_body')
      .where('to_address', '=', to)
      .where('subject', '=', DOWNLOADABLE)
      .execute();
    return rows.map(({ text_body }) => text_body);
  };
  const confirming = async () => {
    const actions = availableActions(await saleView(scenario.contextFor(scenario.buyer), saleId));
    return actions.find(({ event }) => event === 'confirm_closing')?.action.label;
  };
  /** Longer than until any release. */
  const pass = async (ms: number) => {
    scenario.clock.advance(ms);
    await scenario.settle();
  };

  it('while all of them wait for the scanner, the money is not released by itself', async () => {
    await deliver([file('Deed.pdf', ''), file('Keys.pdf', '')]);
    await pass(30 * DAY);
    expect(await scenario.state(saleId)).toBe('completed/in_escrow/');
    await db.tx(async () => {
      const sale = await lockSale(scenario.system, saleId);
      if (!sale) throw new Error('no sale');
      expect(
        resolveTransition(stateOf(sale), 'auto_release', 'system', await factsOf(scenario.system, sale)),
      ).toMatchObject({ ok: false, reason: 'no_documents' });
    });
    await scan();
    // The buyer has all the days to look at them, from when the first could be seen.
    const seenAt = scenario.clock.now().getTime();
    for (const { email } of [scenario.buyer, scenario.seller])
      expect(await releaseMails(email)).toEqual([
        expect.stringContaining(new Date(seenAt + 7 * DAY).toUTCString()),
      ]);
    await pass(7 * DAY - HOUR);
    expect(await scenario.state(saleId)).toBe('completed/in_escrow/');
    expect((await scenario.sale(saleId)).release_due_at).toEqual(new Date(seenAt + 7 * DAY));
    const restarted = await db
      .q()
      .selectFrom('audit_log')
      .select('after')
      .where('entity_id', '=', saleId)
      .where('action', '=', 'sale.restart_release')
      .execute();
    expect(restarted).toEqual([{ after: { releaseDueAt: new Date(seenAt + 7 * DAY).toISOString() } }]);
    await pass(HOUR);
    expect(await scenario.state(saleId)).toBe('completed/completed/pending');
  });

  it('of which one could be seen at once gain no more days when another one is released later', async () => {
    await deliver([file('Deed.pdf', 'seen')], awake);
    const { release_due_at: dueAt } = await scenario.sale(saleId);
    await addSaleDocuments(as(scenario.seller, silent), { saleId, files: [file('Keys.pdf', 'later')] });
    await addSaleDocuments(as(scenario.buyer, silent), { saleId, files: [file('Mine.pdf', 'mine')] });
    scenario.clock.advance(3 * DAY);
    await scan();
    expect((await scenario.sale(saleId)).release_due_at).toEqual(dueAt);
    expect(await releaseMails(scenario.buyer.email)).toEqual([]);
  });

  it('are no delivery anymore: nothing is released, and the seller has to deliver again', async () => {
    await deliver([infected]);
    const { documents_due_at: dueAt } = await scenario.sale(saleId);
    await scan();
    expect(await scenario.sale(saleId)).toMatchObject({
      documents_delivered_at: null,
      release_due_at: null,
      documents_due_at: dueAt,
    });
    expect((await scenario.events(saleId)).at(-1)).toBe('remove_documents');
    expect(await scenario.mailsTo(scenario.buyer.email)).toContain(REMOVED);
    expect(await scenario.mailsTo(scenario.seller.email)).toContain(REMOVED);
    const audited = await db
      .q()
      .selectFrom('audit_log')
      .select('action')
      .where('entity_id', '=', saleId)
      .orderBy('id', 'desc')
      .limit(2)
      .execute();
    expect(audited.map(({ action }) => action).sort()).toEqual(['document.remove', 'sale.remove_documents']);
    const published = await db
      .q()
      .selectFrom('live_events')
      .select('audience')
      .where('type', '=', 'sale.moved')
      .where('payload', '@>', JSON.stringify({ sale: saleId, event: 'remove_documents' }))
      .execute();
    expect(published.map(({ audience }) => audience).sort()).toEqual(
      ['role:admin', `user:${scenario.buyer.id}`, `user:${scenario.seller.id}`].sort(),
    );
    await pass(8 * DAY);
    expect(await scenario.state(saleId)).toBe('completed/in_escrow/');
    expect(await tasks()).toEqual([]);
    await deliver([file('Deed.pdf', 'clean')], awake);
    await pass(7 * DAY);
    expect(await scenario.state(saleId)).toBe('completed/completed/pending');
  });

  it('leave the seller three days at least, but none who was late already', async () => {
    scenario.clock.advance(14 * DAY - HOUR);
    await deliver([infected]);
    scenario.clock.advance(2 * HOUR);
    await scan();
    const now = scenario.clock.now().getTime();
    expect((await scenario.sale(saleId)).documents_due_at).toEqual(new Date(now + 72 * HOUR));
    scenario.clock.advance(73 * HOUR);
    await deliver([infected]);
    const { documents_due_at: dueAt } = await scenario.sale(saleId);
    await scan();
    expect((await scenario.sale(saleId)).documents_due_at).toEqual(dueAt);
    expect(await scenario.act(scenario.buyer, saleId, 'cancel_undelivered')).toEqual({ ok: true });
  });

  it('are overdue again where the date had passed: the mail names no date, and a task is open anew', async () => {
    await pass(15 * DAY);
    expect(await tasks()).toEqual(['documents_overdue']);
    await deliver([infected]);
    expect(await tasks()).toEqual([]);
    await scan();
    expect((await scenario.sale(saleId)).documents_overdue_at).toBeNull();
    const mails = await db
      .q()
      .selectFrom('mail_outbox')
      .select('text_body')
      .where('subject', '=', REMOVED)
      .where('idempotency_key', 'like', `sale:${saleId}:%`)
      .execute();
    expect(mails).toHaveLength(2);
    for (const { text_body } of mails) {
      expect(text_body).toContain('has passed');
      expect(text_body).not.toContain('GMT');
    }
    await scenario.settle();
    expect(await tasks()).toEqual(['documents_overdue']);
  });

  it('are still delivered when another document was, though not one of the buyer’s', async () => {
    await addSaleDocuments(as(scenario.buyer, awake), { saleId, files: [file('Mine.pdf', 'mine')] });
    await deliver([infected, file('Contract.pdf', 'fine')]);
    await scan();
    expect((await scenario.sale(saleId)).documents_delivered_at).not.toBeNull();
    expect(await documents()).toBe(2);
    const other = await scenario.createPaidSale();
    saleId = other;
    await addSaleDocuments(as(scenario.buyer, awake), { saleId, files: [file('Mine.pdf', 'mine')] });
    await deliver([infected]);
    await scan();
    expect((await scenario.sale(saleId)).documents_delivered_at).toBeNull();
  });

  it('do not move a frozen sale: an administrator is asked, and nothing is released before the answer', async () => {
    await deliver([infected]);
    await move('freeze_sale');
    const { documents_delivered_at: deliveredAt, release_due_at: due } = await scenario.sale(saleId);
    await scan();
    expect(await documents()).toBe(0);
    expect(await scenario.sale(saleId)).toMatchObject({
      documents_delivered_at: deliveredAt,
      release_due_at: due,
    });
    expect(await tasks()).toEqual(['documents_removed']);
    expect(await scenario.mailsTo(scenario.buyer.email)).not.toContain(REMOVED);
    await move('unfreeze_sale');
    await pass(30 * DAY);
    expect(await scenario.state(saleId)).toBe('completed/in_escrow/');
    await db
      .q()
      .updateTable('admin_tasks')
      .set({ closed_at: scenario.clock.now(), resolution: 'The documents came by mail.' })
      .where('subject_id', '=', saleId)
      .execute();
    await scenario.settle();
    expect(await scenario.state(saleId)).toBe('completed/completed/pending');
  });

  it('change nothing about a sale that is over, of which an administrator is told', async () => {
    await deliver([infected]);
    await scenario.act(scenario.buyer, saleId, 'confirm_closing');
    const before = await scenario.sale(saleId);
    await scan();
    expect(await scenario.sale(saleId)).toEqual(before);
    expect(await tasks()).toEqual(['documents_removed']);
  });

  it('are taken back by nobody but the system, and only where they were delivered', async () => {
    const resolve = async (by: 'system' | 'seller') => {
      const sale = await scenario.sale(saleId);
      return resolveTransition(stateOf(sale), 'remove_documents', by, await factsOf(scenario.system, sale));
    };
    expect(await resolve('system')).toEqual({ ok: false, reason: 'not_now' });
    await deliver([infected]);
    expect(await resolve('seller')).toEqual({ ok: false, reason: 'not_yours' });
    expect(await resolve('system')).toMatchObject({ ok: true });
    expect(await scenario.act(scenario.admin, saleId, 'cancel_sale')).toEqual({ ok: true });
    expect(await resolve('system')).toEqual({ ok: false, reason: 'not_now' });
  });

  it('are no reason to confirm without a warning, until one can be downloaded', async () => {
    const early = 'Confirm closing without documents';
    expect(await confirming()).toBe(early);
    await deliver([file('Deed.pdf', 'good')]);
    expect(await confirming()).toBe(early);
    await scan();
    expect(await confirming()).toBe('Confirm closing');
  });
});
