import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addSaleDocuments } from '#features/sales/commands/add-sale-documents.ts';
import { deliverDocuments } from '#features/sales/commands/deliver-documents.ts';
import { createFolderStore } from '#gateways/files/folder.ts';
import { noScanner } from '#gateways/malware/open.ts';
import type { Ctx } from '#platform/context.ts';
import { pdfFile } from '#tests/support/fixtures/documents.ts';
import { type Cell, type Cells, operation } from '../../support/operation.ts';
import { newSale, sharedSale, withoutRateLimits } from '../../support/sales.ts';
import { badId, HEAD, notFoundRows } from '../../support/table-rows.ts';

const folder = mkdtempSync(join(tmpdir(), 'acre-sale-document-cells-'));
const ports = { files: createFolderStore({ folder, secret: 's' }), malware: noScanner };
const withPorts = (ctx: Ctx) => ({ ...withoutRateLimits(ctx), ...ports });
const file = { field: 'deed' as const, name: 'Deed.pdf', bytes: pdfFile };

/** A sale in the row's state, of buyer A and seller A or of buyer B and the suspended seller; and what is sent. */
async function saleOfRow({ scenario, row, actor }: Cell) {
  const [state = '', kind] = row.replace('B’s of the suspended, ', '').split(': ');
  const bad = badId({ row: state }, (await sharedSale(scenario, 'in escrow')).saleId);
  const files =
    kind === 'no file' ? [] : kind === 'plain text' ? [{ ...file, bytes: Buffer.from('x') }] : [file];
  if (bad !== null) return { saleId: bad, files };
  const who = row.startsWith('B’s') ? { buyer: 'buyerB' as const, seller: 'suspended' as const } : {};
  const may = ['buyerA', 'buyerB', 'sellerA', 'suspended', 'admin'].includes(actor);
  const { saleId } = await (may ? newSale : sharedSale)(scenario, state, who);
  return { saleId, files };
}

const BAD_IDS = notFoundRows('unknown id', 'no id at all');

export const cells: Cells = {
  'commands/deliver-documents#deliverDocuments': operation({
    cells: `
      ${HEAD}
      in escrow: a file           Unauthenticated  not_yours  NotFound   allowed            NotFound  NotFound   allowed
      in escrow: no file          Unauthenticated  not_yours  NotFound   files              NotFound  NotFound   files
      in escrow: plain text       Unauthenticated  not_yours  NotFound   files              NotFound  NotFound   files
      with documents: a file      Unauthenticated  not_yours  NotFound   already_delivered  NotFound  NotFound   already_delivered
      with a problem: a file      Unauthenticated  not_yours  NotFound   problem_open       NotFound  NotFound   problem_open
      open: a file                Unauthenticated  not_now    NotFound   not_now            NotFound  NotFound   not_now
      released: a file            Unauthenticated  not_now    NotFound   not_now            NotFound  NotFound   not_now
      B’s of the suspended, in escrow: a file  Unauthenticated  NotFound  not_yours  NotFound  NotFound  not_yours  allowed
      ${BAD_IDS}
    `,
    prepare: saleOfRow,
    act: (ctx, input) => deliverDocuments(withPorts(ctx), { ...input, note: 'By post.' }),
  }),

  'commands/add-sale-documents#addSaleDocuments': operation({
    cells: `
      ${HEAD}
      in escrow: a file       Unauthenticated  allowed   NotFound  allowed   NotFound  NotFound  allowed
      in escrow: no file      Unauthenticated  files     NotFound  files     NotFound  NotFound  files
      with documents: a file  Unauthenticated  allowed   NotFound  allowed   NotFound  NotFound  allowed
      open: a file            Unauthenticated  not_now   NotFound  not_now   NotFound  NotFound  not_now
      released: a file        Unauthenticated  not_now   NotFound  not_now   NotFound  NotFound  not_now
      cancelled: a file       Unauthenticated  not_now   NotFound  not_now   NotFound  NotFound  not_now
      B’s of the suspended, in escrow: a file  Unauthenticated  NotFound  allowed  NotFound  NotFound  not_yours  allowed
      ${BAD_IDS}
    `,
    prepare: saleOfRow,
    act: (ctx, input) => addSaleDocuments(withPorts(ctx), input),
    mayChange: (outcome) => outcome === 'allowed',
  }),
};
