import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import { deleteExpiredFiles } from '#features/transactions/commands/delete-expired-files.ts';
import { downloadTransactionsFile } from '#features/transactions/commands/download-transactions-file.ts';
import { exportTransactions } from '#features/transactions/commands/export-transactions.ts';
import { prepareTransactionsFile } from '#features/transactions/commands/prepare-transactions-file.ts';
import { writeTransactionsFile } from '#features/transactions/commands/write-transactions-file.ts';
import { transactionQueryFrom } from '#features/transactions/filters.ts';
import { preparedFiles, saleDetails, transactionList } from '#features/transactions/reads.ts';
import { createFolderStore } from '#gateways/files/folder.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { type Cell, type Cells, operation } from '../support/operation.ts';
import { payoutsFor } from '../support/payouts.ts';
import { sharedSale, systemContext, withoutRateLimits } from '../support/sales.ts';
import { badId, HEAD, systemOnlyRows } from '../support/table-rows.ts';

const everything = transactionQueryFrom(new URLSearchParams());
const request = { format: 'csv', query: everything } as const;
const files = createFolderStore({
  folder: mkdtempSync(join(tmpdir(), 'acre-transaction-cells-')),
  secret: 's',
});
const attempt = { signal: new AbortController().signal, isLastTry: false };

/** A file that an administrator has asked for, written or not. */
async function newFile({ scenario, row }: Cell): Promise<string> {
  await sharedSale(scenario, 'in escrow');
  const actor = row === 'of a colleague' ? await createUser(scenario.db, 'admin') : scenario.cast.admin;
  const fileId = await prepareTransactionsFile(
    withoutRateLimits({ ...scenario.ctx('admin'), actor }),
    request,
  );
  if (row !== 'not written')
    await writeTransactionsFile({ ...systemContext(scenario), files }, { fileId, ...attempt });
  return fileId;
}

export const cells: Cells = {
  'reads#transactionList': operation({
    cells: `
      ${HEAD}
      all sales  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  some
    `,
    prepare: ({ scenario }) => sharedSale(scenario, 'in escrow'),
    act: (ctx) => transactionList(ctx, everything),
    outcomeOf: ({ rows }) => (rows.length > 0 ? 'some' : 'none'),
    mayChange: () => false,
  }),

  'reads#saleDetails': operation({
    cells: `
      ${HEAD}
      in escrow     Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  allowed
      released      Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  allowed
      unknown id    Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  NotFound
      no id at all  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  NotFound
    `,
    prepare: ({ scenario, row }) => sharedSale(scenario, row === 'released' ? row : 'in escrow'),
    act: (ctx, { saleId }, cell) =>
      saleDetails({ ...ctx, payouts: payoutsFor(cell.scenario) }, { saleId: badId(cell, saleId) ?? saleId }),
    mayChange: () => false,
  }),

  'reads#preparedFiles': operation({
    cells: `
      ${HEAD}
      one’s own       Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  found
      of a colleague  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  none
    `,
    prepare: newFile,
    act: (ctx) => preparedFiles(ctx),
    outcomeOf: (found, fileId) => (found.some(({ id }) => id === fileId) ? 'found' : 'none'),
    mayChange: () => false,
  }),

  'commands/export-transactions#exportTransactions': operation({
    cells: `
      ${HEAD}
      all sales  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  allowed
      too many   Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  too_long
    `,
    prepare: ({ scenario }) => sharedSale(scenario, 'in escrow'),
    act: (ctx, _, { row }) =>
      exportTransactions(withoutRateLimits(ctx), request, row === 'too many' ? 0 : undefined),
    async verify(file, { saleId }) {
      if (!file?.ok) return;
      expect(await text(file.body)).toContain(saleId);
    },
  }),

  'commands/prepare-transactions-file#prepareTransactionsFile': operation({
    cells: `
      ${HEAD}
      all sales  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  allowed
    `,
    act: (ctx) => prepareTransactionsFile(withoutRateLimits(ctx), request),
  }),

  // The administrator who asked for it, and no other.
  'commands/download-transactions-file#downloadTransactionsFile': operation({
    cells: `
      ${HEAD}
      one’s own       Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  allowed
      of a colleague  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  NotFound
      not written     Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  NotFound
      unknown id      Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  NotFound
      no id at all    Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  NotFound
    `,
    prepare: newFile,
    act: (ctx, fileId, cell) =>
      downloadTransactionsFile({ ...ctx, files }, { fileId: badId(cell, fileId) ?? fileId }),
  }),

  'commands/write-transactions-file#writeTransactionsFile': operation({
    cells: systemOnlyRows('not written'),
    prepare: newFile,
    act: (ctx, fileId) => writeTransactionsFile({ ...ctx, files }, { fileId, ...attempt }),
  }),

  'commands/delete-expired-files#deleteExpiredFiles': operation({
    cells: systemOnlyRows('whatever has expired'),
    act: (ctx) => deleteExpiredFiles({ ...ctx, files }),
  }),
};
