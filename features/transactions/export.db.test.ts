import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import type { Insertable } from 'kysely';
import { readSheet } from 'read-excel-file/node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createFolderStore } from '#gateways/files/folder.ts';
import { type FileStore, FileStoreError } from '#gateways/files/port.ts';
import type { Ctx } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import type { DB } from '#platform/db/schema.gen.ts';
import { DAY } from '#platform/durations.ts';
import { countQueries } from '#tests/support/database/query-count.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testClock, testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { deleteExpiredFiles } from './commands/delete-expired-files.ts';
import { downloadTransactionsFile } from './commands/download-transactions-file.ts';
import { exportTransactions } from './commands/export-transactions.ts';
import { prepareTransactionsFile } from './commands/prepare-transactions-file.ts';
import { writeTransactionsFile } from './commands/write-transactions-file.ts';
import { fileRows } from './file-rows.ts';
import { transactionQueryFrom } from './filters.ts';
import { type FileFormat, transactionSorts } from './model.ts';
import { preparedFiles, transactionList } from './reads.ts';
import { withSeller } from './seller-filter.ts';

const queryOf = (params: Record<string, string> = {}) => {
  const { page: _, ...query } = transactionQueryFrom(new URLSearchParams(params));
  return query;
};
/** A cell of a workbook as the CSV has it. */
function inCsv(column: string, cell: unknown): string {
  if (cell === null) return '';
  if (cell instanceof Date) return cell.toISOString();
  if (column.endsWith('(USD)')) return Number(cell).toFixed(2);
  const text = String(cell);
  return text.startsWith('=') ? `'${text}` : text;
}
const day = (date: number) => new Date(Date.UTC(2026, 0, date, 12));

await describeOnDatabase("the export of the administrators' transactions", (open) => {
  const clock = testClock('2026-11-20T23:30:00Z');
  const folder = mkdtempSync(join(tmpdir(), 'acre-transactions-'));
  const files = createFolderStore({ folder, secret: 's', now: clock.now });
  let db: Database;
  let ctx: Ctx;
  let system: Ctx;
  let mira: string;

  beforeAll(async () => {
    db = await open();
    ctx = testContext(db, { actor: await createUser(db, 'admin'), now: clock.now });
    system = testContext(db, { actor: { kind: 'system', name: 'jobs' }, now: clock.now });
    const buyer = await createUser(db, 'buyer');
    const sellers: string[] = [];
    for (const name of ['Zora', '=Mira', 'Zora']) {
      const { agentId = '' } = await createUser(db, 'agent');
      await db
        .q()
        .updateTable('agents')
        .set({ name })
        .where('id', '=', agentId ?? '')
        .execute();
      sellers.push(agentId ?? '');
    }
    mira = sellers[1] ?? '';
    // Every value comes more than once, so that a batch often ends between equals.
    for (let n = 0; n < 9; n++) {
      const agentId = sellers[n % 3] ?? '';
      const sale: Insertable<DB['property_sales']> = {
        property_id: await createListing(db, agentId, { address: `${n % 4} Larkspur, "Row"` }),
        buyer_id: buyer.id,
        agent_id: agentId,
        sale_price_cents: 100_000_00 + (n % 3),
        buyer_fees_cents: n % 2 ? 2_600_50 : 0,
        admin_percentage: 20,
        agent_commission_cents: 80_000_00,
        payment_method: n % 2 ? 'card' : 'crypto',
        provider: 'sandbox-card',
        idempotency_key: randomUUID(),
        created_at: new Date(day(1 + (n % 5)).getTime() + 0.123),
        ...(n > 4 && {
          stripe_payment_status: 'completed',
          escrow_status: 'in_escrow',
          sale_date: day(10),
          receipt_number: n,
        }),
      };
      const { id } = await db
        .q()
        .insertInto('property_sales')
        .values(sale)
        .returning('id')
        .executeTakeFirstOrThrow();
      if (n % 2)
        await db
          .q()
          .insertInto('transaction_fees')
          .values([
            {
              sale_id: id,
              name: 'Title, search',
              fee_type: 'fixed',
              applies_to: 'buyer',
              amount_applied_cents: 100_50,
              position: 2,
            },
            {
              sale_id: id,
              name: 'Processing',
              fee_type: 'percentage',
              percent: 2.5,
              applies_to: 'buyer',
              amount_applied_cents: 2_500_00,
              position: 1,
            },
          ])
          .execute();
    }
  });
  afterAll(async () => {
    await db.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function bytesOf(params: Record<string, string> = {}, format: FileFormat = 'csv'): Promise<Buffer> {
    const file = await exportTransactions(ctx, { format, query: queryOf(params) });
    return file.ok ? buffer(file.body) : Buffer.alloc(0);
  }
  const rowsOf = (csv: Buffer): Record<string, string>[] =>
    parse(csv, { columns: true, bom: true, record_delimiter: '\r\n' });
  const narrowings = (): Record<string, string>[] => [
    {},
    { q: 'larkspur' },
    { seller: mira },
    { method: 'crypto', mode: 'test' },
  ];
  const lastAudit = () =>
    db
      .q()
      .selectFrom('audit_log')
      .select(['action', 'entity_id', 'after'])
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();

  it.each(transactionSorts)(
    'holds the sales in the order of the list, by %s, wherever a batch ends',
    async (by) => {
      for (const sort of [by, `-${by}`])
        for (const filters of narrowings()) {
          const params = { ...filters, sort };
          const { rows } = await transactionList(ctx, { ...queryOf(params), page: 1 });
          const { sort: order, ...narrowed } = queryOf(params);
          const { filter } = await withSeller(ctx, narrowed);
          for (const few of filters.q ? [true, false] : [false])
            for (const size of [2, 100]) {
              const batches = fileRows(ctx, { filter, sort: order, few }, size);
              const ids: string[] = [];
              for await (const rows of batches) ids.push(...rows.map(({ id }) => id));
              expect(ids, JSON.stringify(params)).toEqual(rows.map(({ id }) => id));
            }
        }
    },
  );

  it('says as CSV what the list says, and what is on record besides', async () => {
    const csv = await bytesOf({ sort: '-date', method: 'card_or_bank', from: '2026-01-10' });
    expect(csv.subarray(0, 3).toString('hex')).toBe('efbbbf');
    expect(csv.toString()).toContain('"1 Larkspur, ""Row"""');
    const { rows } = await transactionList(ctx, {
      ...queryOf({ sort: '-date', method: 'card_or_bank', from: '2026-01-10' }),
      page: 1,
    });
    const found = rowsOf(csv);
    expect(found.map((row) => row['Sale Id'])).toEqual(rows.map(({ id }) => id));
    expect(found.find((row) => row.Receipt === 'ATP-000007')).toMatchObject({
      'Date (UTC)': '2026-01-10T12:00:00.000Z',
      Property: '3 Larkspur, "Row"',
      // What a spreadsheet would calculate is a text.
      Seller: "'=Mira",
      'Sale Price (USD)': '100000.01',
      'Commission (USD)': '80000.00',
      'Fees (USD)': '2600.50',
      'Payment Method': 'Card or bank transfer',
      Status: 'In Escrow',
      Payment: 'Completed',
      Payout: '',
      Mode: 'Test',
      Provider: 'sandbox-card',
      'Buyer Fee Lines': 'Processing (2.5%): 2500.00; Title, search: 100.50',
      'Seller Fee Lines': '',
      'Total Price (USD)': '102600.51',
      'Seller Id': mira,
      'Released (UTC)': '',
    });
  });

  it('is named after the day, and recorded without what was searched for', async () => {
    const file = await exportTransactions(ctx, {
      format: 'xlsx',
      query: queryOf({ q: 'larkspur', status: 'in_escrow', sort: '-price' }),
    });
    expect(file).toMatchObject({
      ok: true,
      name: 'transactions_2026-11-20.xlsx',
      type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    });
    expect(await lastAudit()).toEqual({
      action: 'transactions.export',
      entity_id: 'file',
      after: { format: 'xlsx', search: true, status: 'in_escrow', sort: '-price' },
    });
    const days = { from: '2026-11-01', to: '2026-11-02', zone: 'America/New_York' };
    await exportTransactions(ctx, { format: 'csv', query: queryOf({ ...days, paid: '1' }) });
    expect((await lastAudit())?.after).toEqual({ format: 'csv', ...days, paid: true });
  });

  it('says as a workbook the same as the CSV', async () => {
    const csv = rowsOf(await bytesOf({ sort: 'price' }));
    const [head = [], ...lines] = await readSheet(await bytesOf({ sort: 'price' }, 'xlsx'));
    expect(lines).toHaveLength(csv.length);
    for (const [at, row] of csv.entries()) {
      const told = head.map((name, column) => [name, inCsv(String(name), lines[at]?.[column] ?? null)]);
      expect(Object.fromEntries(told)).toEqual(row);
    }
  });

  it('has only its head when nothing matches', async () => {
    expect((await bytesOf({ q: 'nowhere' })).toString()).toMatch(/^\uFEFFDate \(UTC\),[^\r]*\r\n$/);
  });

  it('is refused when too many match, and 21 times an hour', async () => {
    const query = queryOf({ q: 'larkspur' });
    expect(await exportTransactions(ctx, { format: 'csv', query }, 8)).toEqual({
      ok: false,
      reason: 'too_long',
    });
    expect(await exportTransactions(ctx, { format: 'csv', query }, 9)).toMatchObject({ ok: true });
    const other = { ...ctx, actor: await createUser(db, 'admin') };
    for (let times = 0; times < 20; times++) await exportTransactions(other, { format: 'csv', query });
    await expect(exportTransactions(other, { format: 'csv', query })).rejects.toThrow(/too many/i);
  });

  it('asks the database no more once nobody reads on', async () => {
    const { filter } = await withSeller(ctx, queryOf());
    const read = (batches: number) =>
      countQueries(db, async (counted) => {
        const rows = fileRows({ ...ctx, db: counted }, { filter, sort: null, few: false }, 1);
        for (let n = 0; n < batches; n++) await rows.next();
        await rows.return(undefined);
      });
    expect(await read(1)).toBe(1);
    expect(await read(3)).toBe(3);
  });

  it('is written in the background, downloaded for a day by whoever asked for it, and deleted', async () => {
    const query = queryOf({ sort: 'price', q: 'larkspur' });
    const fileId = await prepareTransactionsFile(ctx, { format: 'csv', query });
    expect(await lastAudit()).toMatchObject({ action: 'transactions.prepare_file', entity_id: fileId });
    expect(await preparedFiles(ctx)).toMatchObject([
      { id: fileId, status: 'preparing', name: 'transactions_2026-11-20.csv', sales: null },
    ]);
    await expect(downloadTransactionsFile({ ...ctx, files }, { fileId })).rejects.toThrow(
      'no longer available',
    );

    const signal = new AbortController().signal;
    for (let times = 0; times < 2; times++)
      await writeTransactionsFile({ ...system, files }, { fileId, signal, isLastTry: false });
    const [ready] = await preparedFiles(ctx);
    expect(ready).toMatchObject({ id: fileId, status: 'ready', sales: 9 });
    const mails = await db
      .q()
      .selectFrom('mail_outbox')
      .select(['subject', 'text_body'])
      .where('idempotency_key', '=', `transactions.file:${fileId}`)
      .execute();
    expect(mails).toMatchObject([{ subject: 'Your export is ready' }]);
    expect(mails[0]?.text_body).toContain(`/admin/transaction-files/${fileId}`);

    const colleague = { ...ctx, actor: await createUser(db, 'admin'), files };
    expect(await preparedFiles(colleague)).toEqual([]);
    await expect(downloadTransactionsFile(colleague, { fileId })).rejects.toThrow('no longer available');
    const file = await downloadTransactionsFile({ ...ctx, files }, { fileId });
    const content = await buffer(file.body);
    expect(file).toMatchObject({ name: 'transactions_2026-11-20.csv', bytes: content.length });
    expect(await lastAudit()).toMatchObject({ action: 'transactions.download_file', entity_id: fileId });
    expect(content).toEqual(await bytesOf({ sort: 'price', q: 'larkspur' }));

    await deleteExpiredFiles({ ...system, files });
    expect(readdirSync(join(folder, 'transactions', fileId))).toHaveLength(1);
    clock.advance(DAY);
    expect(await preparedFiles(ctx)).toEqual([]);
    await expect(downloadTransactionsFile({ ...ctx, files }, { fileId })).rejects.toThrow(
      'no longer available',
    );
    clock.advance(1);
    await deleteExpiredFiles({ ...system, files });
    expect((await files.list('transactions/')).keys).toEqual([]);
    expect(await db.q().selectFrom('transaction_files').select('id').execute()).toEqual([]);
  });

  it('that cannot be deleted keeps no other one from being deleted', async () => {
    const [stuck, other] = [
      await prepareTransactionsFile(ctx, { format: 'csv', query: queryOf() }),
      await prepareTransactionsFile(ctx, { format: 'csv', query: queryOf() }),
    ];
    for (const fileId of [stuck, other]) {
      await writeTransactionsFile(
        { ...system, files },
        { fileId, signal: new AbortController().signal, isLastTry: false },
      );
      clock.advance(1);
    }
    clock.advance(2 * DAY);
    const broken: FileStore = {
      ...files,
      delete: (key) =>
        key.includes(stuck)
          ? Promise.reject(new FileStoreError('refused', 'It may not be deleted'))
          : files.delete(key),
    };
    await expect(deleteExpiredFiles({ ...system, files: broken })).rejects.toThrow();
    const left = await db.q().selectFrom('transaction_files').select('id').execute();
    expect(left).toEqual([{ id: stuck }]);
    await deleteExpiredFiles({ ...system, files });
    expect((await files.list('transactions/')).keys).toEqual([]);
  });

  it('that cannot be deleted keep no other one either, however many they are', async () => {
    const other = await prepareTransactionsFile(ctx, { format: 'csv', query: queryOf() });
    const { id: _, ...row } = await db
      .q()
      .selectFrom('transaction_files')
      .selectAll()
      .where('id', '=', other)
      .executeTakeFirstOrThrow();
    const earlier = { ...row, query: JSON.stringify(row.query), expires_at: new Date(0) };
    await db
      .q()
      .insertInto('transaction_files')
      .values(Array.from({ length: 100 }, () => earlier))
      .execute();
    clock.advance(2 * DAY);
    const broken: FileStore = {
      ...files,
      list: (prefix) =>
        prefix.includes(other)
          ? files.list(prefix)
          : Promise.reject(new FileStoreError('refused', 'It may not be deleted')),
    };
    const left = async () => (await db.q().selectFrom('transaction_files').select('id').execute()).length;
    for (let run = 0; run < 20 && (await left()) > 100; run++)
      await expect(deleteExpiredFiles({ ...system, files: broken })).rejects.toThrow();
    expect(await left()).toBe(100);
    await deleteExpiredFiles({ ...system, files });
    expect(await left()).toBe(0);
  });

  it('that cannot be written is tried again, and then given up with a word to whoever asked', async () => {
    const fileId = await prepareTransactionsFile(ctx, { format: 'xlsx', query: queryOf() });
    const broken: FileStore = { ...files, put: () => Promise.reject(new Error('The disk is full')) };
    const write = (isLastTry: boolean) =>
      writeTransactionsFile(
        { ...system, files: broken },
        { fileId, signal: new AbortController().signal, isLastTry },
      );
    await expect(write(false)).rejects.toThrow('The disk is full');
    expect(await preparedFiles(ctx)).toMatchObject([{ status: 'preparing' }]);
    await expect(write(true)).rejects.toThrow('The disk is full');
    expect(await preparedFiles(ctx)).toMatchObject([{ status: 'failed' }]);
    const mail = await db
      .q()
      .selectFrom('mail_outbox')
      .select('subject')
      .where('idempotency_key', '=', `transactions.file:${fileId}`)
      .executeTakeFirst();
    expect(mail?.subject).toBe('Your export failed');
    const stopped = AbortSignal.abort(new Error('The process ends'));
    const another = await prepareTransactionsFile(ctx, { format: 'csv', query: queryOf() });
    await expect(
      writeTransactionsFile({ ...system, files }, { fileId: another, signal: stopped, isLastTry: false }),
    ).rejects.toThrow('The process ends');
  });
});
