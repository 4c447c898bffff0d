import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { insertDocument } from '#features/documents/insert-document.ts';
import { signFileLink } from '#gateways/files/signed-link.ts';
import { DAY, HOUR } from '#platform/durations.ts';
import { documentPaths } from '#routing/document-paths.ts';
import { paths } from '#routing/paths.ts';
import { purchasePaths } from '#routing/purchase-paths.ts';
import { sellerPaths } from '#routing/seller-paths.ts';
import { pdfFile, storedDeed } from '#tests/support/fixtures/documents.ts';
import type { AddressCell, Addresses } from '../support/address.ts';
import { newSale, type SaleFixture, saleState, sharedSale } from '../support/sales.ts';
import { sameForAll } from '../support/table-rows.ts';
import { SECRET, sameOriginForm } from '../support/test-app.ts';

const columns = 'anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin';
const STREET = '19 Unmistakable Row';
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

/** The sale each cell is about, to assert its state afterwards. */
const subjects = new WeakMap<AddressCell, SaleFixture>();

/** The sale of a row such as `GET .data in escrow`, or `POST release in escrow`, whose second word is the event. */
async function saleOf(cell: AddressCell): Promise<string> {
  const { app, row } = cell;
  const [, label = ''] = /^(?:GET(?: \.data)?|POST \w+) (.+)$/.exec(row) ?? [];
  if (label === 'unknown id') return UNKNOWN;
  if (label === 'no id at all') return 'no-id';
  const others = label.startsWith('B’s of the suspended');
  const who = others ? ({ buyer: 'buyerB', seller: 'suspended' } as const) : {};
  const state = label.replace('B’s of the suspended, ', '');
  const sale = await (row.startsWith('GET') ? sharedSale : newSale)(app.scenario, state, who);
  await app.db
    .q()
    .updateTable('properties')
    .set({ address: STREET })
    .where('id', '=', sale.propertyId)
    .execute();
  subjects.set(cell, sale);
  return sale.saleId;
}

const pageOf = (path: (id: string) => string) => async (cell: AddressCell) => {
  const page = path(await saleOf(cell));
  if (cell.row.startsWith('GET')) return { path: cell.row.includes('.data') ? `${page}.data` : page };
  const [, event = ''] = cell.row.split(' ');
  if (/documents$/.test(event)) return { path: page, ...formWithDeed(event) };
  return { path: page, ...sameOriginForm({ intent: event, note: 'The roof leaks.' }) };
};
/** A form with a file, as a browser without scripts sends it. */
const formWithDeed = (intent: string) => {
  const part = (name: string, more = '') =>
    `--bound\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`;
  return {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'multipart/form-data; boundary=bound' },
    body: `${part('intent')}${intent}\r\n${part('deed', '; filename="Deed.pdf"')}${pdfFile}\r\n--bound--\r\n`,
  };
};

/** Asserts that the login page returns to the requested page, and that only a permitted POST changed the sale. */
const expectReturnAndState =
  (path: (id: string) => string) =>
  async ({ headers, status }: { headers: { location?: string }; status: number }, cell: AddressCell) => {
    const sale = subjects.get(cell);
    if (!sale) return;
    const next = new URL(headers.location ?? '/', 'http://x').searchParams.get('next');
    if (next) expect(next).toBe(path(sale.saleId));
    if (!cell.row.startsWith('POST')) return;
    const [, event] = cell.row.split(' ');
    const done = (status === 303 && event === 'confirm_closing') || cell.row.endsWith('released');
    expect(await saleState(cell.app.scenario, sale)).toBe(
      done ? 'completed/completed/pending Sold' : 'completed/in_escrow/ escrow',
    );
  };

export const addresses: Addresses = {
  '/property/:id/purchase': {
    sandbox: true,
    cells: `
      ${columns}
      GET A’s Active                       405        405           405           405       405       405       405
      POST A’s Active                      303 login  303 checkout  303 checkout  303 page  303 page  303 page  303 page
      POST json A’s Active                 401        200           200           403       403       403       403
      POST json A’s Active, no total       401        422           422           422       422       422       422
      POST json A’s Active, no key         401        422           422           422       422       422       422
      POST json A’s pending                401        404           404           403       404       404       403
      POST json A’s Sold                   401        409           409           403       403       403       403
      POST json A’s deleted                401        404           404           404       404       404       404
      POST json suspended seller’s Active  401        404           404           404       404       403       403
      POST cancel open                     401        303 page      404           404       404       404       404
      POST cancel in escrow                401        303 page      404           404       404       404       404
      POST json cancel open                401        200           404           404       404       404       404
      POST json cancel in escrow           401        409           404           404       404       404       404
    `,
    to: { login: '/buyer/login?next=*', checkout: '/sandbox/checkout/cs_*', page: '/property/*' },
    async request(cell) {
      const { app, row } = cell;
      const [, json, cancel, what = ''] = /^\w+ (json )?(cancel )?(.*)$/.exec(row) ?? [];
      const post = (fields: Record<string, string>) => sameOriginForm(fields, { json: json !== undefined });
      if (cancel) {
        const sale = await newSale(app.scenario, what);
        subjects.set(cell, sale);
        return {
          path: purchasePaths.begin(sale.propertyId),
          ...post({ intent: 'cancel', sale: sale.saleId }),
        };
      }
      // A buyer may have three unpaid purchases a day (R18), so those of earlier cells are backdated.
      await app.db
        .q()
        .updateTable('property_sales')
        .set({ created_at: new Date(Date.now() - 2 * DAY) })
        .execute();
      const [listing = '', lacking] = what.split(', ');
      const path = purchasePaths.begin(await app.scenario.listing(listing));
      const fields = {
        intent: 'begin',
        method: 'card',
        total: lacking === 'no total' ? '' : '74200000',
        key: lacking === 'no key' ? '' : randomUUID(),
      };
      return row.startsWith('GET') ? { path } : { path, ...post(fields) };
    },
    async verify({ status, headers, text }, cell) {
      if (status === 405) expect(headers.allow).toBe('POST');
      const sale = subjects.get(cell);
      if (sale) {
        const stateBefore = cell.row.endsWith('open')
          ? 'pending/pending/ Active'
          : 'completed/in_escrow/ escrow';
        const ended = cell.actor === 'buyerA' && cell.row.endsWith('open');
        expect(await saleState(cell.app.scenario, sale)).toBe(
          ended ? 'failed/cancelled/ Active' : stateBefore,
        );
      } else if (status >= 400) expect(text).not.toContain('saleId');
    },
  },

  '/buyer/transactions': {
    sandbox: true,
    cells: `
      ${columns}
      GET               302 login  200  200  302 login  302 login  302 login  302 login
      GET .data         202 login  200  200  202 login  202 login  202 login  202 login
      POST              302 login  400  400  302 login  302 login  302 login  302 login
      GET recent        302 login  200  200  302 login  302 login  302 login  302 login
      GET watched       302 login  200  200  302 login  302 login  302 login  302 login
      GET inquiries     302 login  200  200  302 login  302 login  302 login  302 login
      GET no cursor     302 login  400  400  302 login  302 login  302 login  302 login
      GET in escrow     302 login  200  404  302 login  302 login  302 login  302 login
      GET open          302 login  200  404  302 login  302 login  302 login  302 login
      GET unknown id    302 login  404  404  302 login  302 login  302 login  302 login
      GET no id at all  302 login  404  404  302 login  302 login  302 login  302 login
    `,
    to: { login: '/buyer/login?next=%2Fbuyer%2Ftransactions*' },
    secret: ({ row }) => (row === 'GET' ? '>My Activity</h1>' : row.includes('open') ? STREET : ''),
    async request(cell) {
      if (cell.row === 'POST') return sameOriginForm({});
      if (cell.row === 'GET' || cell.row === 'GET .data') return {};
      const tab = /^GET (recent|watched|inquiries)$/.exec(cell.row)?.[1];
      if (tab) return { path: paths.buyerActivity({ tab }) };
      if (cell.row === 'GET no cursor') return { path: paths.buyerActivity({ before: 'none' }) };
      return { path: paths.buyerActivity({ tab: 'transactions', sale: await saleOf(cell) }) };
    },
  },
  '/buyer/sales/:id': {
    sandbox: true,
    cells: `
      ${columns}
      GET in escrow                     302 login  200       404       302 login  302 login  302 login  302 login
      GET .data in escrow               202 login  200       404       202 login  202 login  202 login  202 login
      GET open                          302 login  200       404       302 login  302 login  302 login  302 login
      GET released                      302 login  200       404       302 login  302 login  302 login  302 login
      GET unknown id                    302 login  404       404       302 login  302 login  302 login  302 login
      GET no id at all                  302 login  404       404       302 login  302 login  302 login  302 login
      POST confirm_closing in escrow    302 login  303 here  404       302 login  302 login  302 login  302 login
      POST release in escrow            302 login  409       404       302 login  302 login  302 login  302 login
      POST deliver_documents in escrow  302 login  409       404       302 login  302 login  302 login  302 login
      POST add_documents in escrow      302 login  303 here  404       302 login  302 login  302 login  302 login
      POST settle_refund in escrow      302 login  400       400       302 login  302 login  302 login  302 login
      POST claim_token in escrow        302 login  404       404       302 login  302 login  302 login  302 login
      POST claim_token released         302 login  404       404       302 login  302 login  302 login  302 login
    `,
    to: { login: '/buyer/login?next=%2Fbuyer%2Fsales%2F*', here: '/buyer/sales/*' },
    secret: ({ row }) => (row.includes(' id') ? '' : STREET),
    request: pageOf(purchasePaths.buyerSale),
    verify: expectReturnAndState(purchasePaths.buyerSale),
  },
  '/agent/sales/:id': {
    sandbox: true,
    cells: `
      ${columns}
      GET in escrow                                        302 login  403  403  200       404  404  403
      GET .data in escrow                                  202 login  403  403  200       404  404  403
      GET B’s of the suspended, in escrow                  302 login  403  403  404       404  200  403
      GET unknown id                                       302 login  403  403  404       404  404  403
      GET no id at all                                     302 login  403  403  404       404  404  403
      POST deliver_documents in escrow                     302 login  403  403  303 here  404  404  403
      POST add_documents in escrow                         302 login  403  403  303 here  404  404  403
      POST add_documents released                          302 login  403  403  409       404  404  403
      POST confirm_closing in escrow                       302 login  403  403  409       404  404  403
      POST deliver_documents B’s of the suspended, in escrow  302 login  403  403  404    404  409  403
    `,
    to: { login: '/agent/login?next=%2Fagent%2Fsales%2F*', here: '/agent/sales/*' },
    // The sale itself is no secret to its buyer and administrators, though this page is not for them.
    secret: ({ row, actor }) =>
      row.includes(' id') || actor === 'admin' || actor === (row.includes('B’s') ? 'buyerB' : 'buyerA')
        ? ''
        : STREET,
    request: pageOf(sellerPaths.sale),
    verify: expectReturnAndState(sellerPaths.sale),
  },
  // A document of a sale for both of its sides.
  '/documents/:id/file': {
    sandbox: true,
    cells: `
      ${columns}
      GET in escrow                        401  303 file  404       303 file  404  404       303 file
      GET B’s of the suspended, in escrow  401  404       303 file  404       404  303 file  303 file
      GET unknown id                       401  404       404       404       404  404       404
      GET no id at all                     401  404       404       404       404  404       404
    `,
    to: { file: '/files/documents/*' },
    async request(cell) {
      const saleId = await saleOf(cell);
      const sale = subjects.get(cell);
      if (!sale) return { path: documentPaths.file(saleId) };
      const { id } = await insertDocument(cell.app.scenario.ctx('admin'), {
        propertyId: sale.propertyId,
        saleId,
        type: 'Deed',
        shownTo: 'parties',
        uploadedBy: null,
        document: storedDeed().document,
      });
      return { path: documentPaths.file(id) };
    },
  },
  '/receipt/:id': {
    sandbox: true,
    cells: `
      ${columns}
      GET in escrow                        302 login  200  404  200  404  404  200
      GET .data in escrow                  202 login  200  404  200  404  404  200
      GET B’s of the suspended, in escrow  302 login  404  200  404  404  200  200
      GET open                             302 login  404  404  404  404  404  404
      GET unknown id                       302 login  404  404  404  404  404  404
      GET no id at all                     302 login  404  404  404  404  404  404
      POST pay in escrow                   405        405  405  405  405  405  405
    `,
    to: { login: '/buyer/login?next=%2Freceipt%2F*' },
    secret: ({ row }) => (row.includes(' id') ? '' : STREET),
    request: pageOf(purchasePaths.receipt),
    verify({ status, text }, { row, actor }) {
      // Only the parties and administrators learn that the sale exists.
      const concerned = row === 'GET open' && ['buyerA', 'sellerA', 'admin'].includes(actor);
      if (status === 404) expect(text.includes('Receipt available after payment')).toBe(concerned);
    },
  },
  '/receipt/:id/pdf': {
    sandbox: true,
    cells: `
      ${columns}
      GET in escrow                        302 login  303 file  404  303 file  404  404  303 file
      GET B’s of the suspended, in escrow  302 login  404  303 file  404  404  303 file  303 file
      GET open                             302 login  404  404  404  404  404  404
      GET unknown id                       302 login  404  404  404  404  404  404
      GET no id at all                     302 login  404  404  404  404  404  404
    `,
    to: { login: '/buyer/login?next=%2Freceipt%2F*', file: '/files/receipts/*' },
    request: pageOf(purchasePaths.receiptPdf),
  },
  // A signed address works for whoever holds it, and nothing else does.
  '/files/receipts/:file': {
    sandbox: true,
    cells: sameForAll(
      ['GET in escrow signed', '200'],
      ['GET in escrow unsigned', '404'],
      ['GET in escrow too old', '404'],
      ['GET in escrow of another secret', '404'],
    ),
    async request(cell) {
      const { saleId } = await newSale(cell.app.scenario, 'in escrow');
      const link = signFileLink(cell.row.endsWith('secret') ? 'x'.repeat(40) : SECRET, {
        key: `receipts/${saleId}.pdf`,
        expiresAt: new Date(cell.row.endsWith('old') ? 0 : Date.now() + HOUR),
        downloadName: 'receipt-ATP-000001.pdf',
      });
      return { path: cell.row.endsWith('unsigned') ? (link.split('?')[0] ?? link) : link };
    },
    verify({ status, text, headers }) {
      expect(text.startsWith('%PDF-1.7')).toBe(status === 200);
      if (status !== 200) return;
      expect(headers['content-type']).toBe('application/pdf');
      expect(headers['content-disposition']).toBe('attachment; filename="receipt-ATP-000001.pdf"');
      expect(headers['cache-control']).toBe('private, no-store');
    },
  },
  // As at a real provider, whoever has the address of a checkout can pay it, and nobody can guess one.
  '/sandbox/checkout/:ref': {
    sandbox: true,
    cells: sameForAll(
      ['GET open', '200'],
      ['GET .data open', '200'],
      ['GET unknown', '404'],
      ['GET sale id', '404'],
      ['POST cancel open', '303 property'],
      ['POST steal open', '400'],
      ['POST pay unknown', '404'],
    ),
    to: { property: '/property/*' },
    secret: ({ row }) => (row === 'GET open' ? 'Sandbox – no real money moves' : ''),
    async request(cell) {
      const { row } = cell;
      const known = row.endsWith('open');
      const sale = await sharedSale(cell.app.scenario, 'open');
      const ref = known ? sale.ref : row.endsWith('sale id') ? sale.saleId : 'cs_test_unknown';
      const path = purchasePaths.sandboxCheckout(ref ?? '');
      if (row.startsWith('GET')) return { path: row.includes('.data') ? `${path}.data` : path };
      return { path, ...sameOriginForm({ intent: row.split(' ')[1] ?? '' }) };
    },
  },
};
