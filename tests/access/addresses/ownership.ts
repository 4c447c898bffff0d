import { sql } from 'kysely';
import { expect } from 'vitest';
import { comparedVersion } from '#features/ownership/version.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { sellerPaths } from '#routing/seller-paths.ts';
import { pdfFile } from '#tests/support/fixtures/documents.ts';
import { createProof } from '#tests/support/fixtures/ownership.ts';
import type { AddressCell, Addresses } from '../support/address.ts';
import { badId } from '../support/table-rows.ts';
import { sameOriginForm } from '../support/test-app.ts';

const columns = 'anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin';
const STREET = '25 Unmistakable Deed';
const MEGABYTE = 1024 * 1024;

/** A seller's form with a file of this size, as a browser sends it; a disclosure has less to type than a proof of ownership. */
function documentForm(bytes: number) {
  const fields = { intent: 'upload', ownerName: 'Ada Fenwick', parcelNumber: '02-114-0077', note: '' };
  const boundary = 'proof-of-ownership';
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const file = `--${boundary}\r\ncontent-disposition: form-data; name="document"; filename="Deed.pdf"\r\ncontent-type: application/pdf\r\n\r\n`;
  return {
    ...sameOriginForm({}),
    headers: { ...sameOriginForm({}).headers, 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: Buffer.concat([
      Buffer.from(parts.join('') + file),
      pdfFile,
      Buffer.alloc(Math.max(0, bytes - pdfFile.length), 0x20),
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]),
  };
}

/** The listing that each cell is about. */
const subjects = new WeakMap<AddressCell, string>();

async function listingFor(cell: AddressCell): Promise<string> {
  const { app, row } = cell;
  const owner = row.includes('suspended') ? 'suspended seller’s Active' : 'A’s Active';
  const id = await app.scenario.listing(owner, { address: STREET });
  const bad = badId({ row: row.replace(/^(?:GET|POST)(?: \.data)? /, '') }, id);
  subjects.set(cell, bad ?? id);
  return bad ?? id;
}

const proofsOf = (cell: AddressCell) =>
  cell.app.db
    .q()
    .selectFrom('ownership_proofs')
    .select(['id', 'status'])
    .where('property_id', '=', subjects.get(cell) ?? '')
    .execute();

const documentsOf = (cell: AddressCell) =>
  cell.app.db
    .q()
    .selectFrom('document_registry')
    .select('id')
    .where('property_id', '=', subjects.get(cell) ?? '')
    .execute();

/** A seller's page with a form that takes a document about one of their listings. */
const sellerForm = (
  pathOf: (id: string) => string,
  storedOf: (cell: AddressCell) => Promise<unknown[]>,
): Addresses[string] => ({
  cells: `
      ${columns}
      GET A’s               302 login  403  403  200       404  404  403
      GET .data A’s         202 login  403  403  200       404  404  403
      GET the suspended’s   302 login  403  403  404       404  200  403
      GET unknown id        302 login  403  403  404       404  404  403
      GET no id at all      302 login  403  403  404       404  404  403
      POST A’s              302 login  403  403  303 here  404  403  403
      POST 1 MB A’s         413        413  413  303 here  404  413  413
      POST 26 MB A’s        413        413  413  413       413  413  413
      POST nothing A’s      302 login  403  403  422       404  403  403
      POST unknown id       302 login  403  403  404       404  403  403
    `,
  to: { login: '/agent/login?next=%2Fagent%2Fproperties%2F*', here: '/agent/properties/*' },
  async request(cell) {
    const { row } = cell;
    const path = pathOf(await listingFor(cell));
    if (row === 'POST nothing A’s') return { path, ...sameOriginForm({ intent: 'upload' }) };
    if (row.startsWith('POST')) {
      const megabytes = Number(/(\d+) MB/.exec(row)?.[1] ?? 0);
      if (megabytes > 25) {
        // Announced alone: the server refuses by the length and closes, which would break off the sending of a body.
        const form = documentForm(0);
        return {
          path,
          ...form,
          headers: { ...form.headers, 'content-length': String(megabytes * MEGABYTE) },
        };
      }
      return { path, ...documentForm(megabytes * MEGABYTE) };
    }
    return { path: `${path}${row.includes('.data') ? '.data' : ''}` };
  },
  async verify({ text, status }, cell) {
    const { row } = cell;
    if (row.startsWith('GET')) expect(text.includes(STREET)).toBe(status === 200);
    else if (row.endsWith('’s')) expect(await storedOf(cell)).toHaveLength(status === 303 ? 1 : 0);
  },
});

export const addresses: Addresses = {
  '/agent/properties/:id/ownership': sellerForm(sellerPaths.ownership, proofsOf),
  '/agent/properties/:id/disclosures': sellerForm(sellerPaths.disclosures, documentsOf),
  '/admin/ownership': {
    cells: `
      ${columns}
      GET              302 login  403  403  403  403  403  200
      GET .data        202 login  403  403  403  403  403  200
      GET property     302 login  403  403  403  403  403  200
      GET decided      302 login  403  403  403  403  403  200
      POST verify      302 login  403  403  403  403  403  302 here
      POST stale       302 login  403  403  403  403  403  409
      POST refuse      302 login  403  403  403  403  403  422
      POST unknown     302 login  403  403  403  403  403  404
      POST nothing     302 login  403  403  403  403  403  400
    `,
    to: { login: '/admin?next=*', here: '/admin/ownership' },
    secret: ({ row }) => (row === 'GET' || row === 'GET property' ? STREET : ''),
    async request(cell) {
      const { app, row } = cell;
      await app.db.q().deleteFrom('ownership_proofs').execute();
      const propertyId = await listingFor(cell);
      const proof = await createProof(app.db, {
        propertyId,
        agentId: app.scenario.person('sellerA').agentId,
      });
      if (row === 'GET property') return { path: adminPaths.ownership({ property: propertyId }) };
      if (row === 'GET decided') return { path: adminPaths.ownership({ tab: 'decided' }) };
      if (row.startsWith('GET')) return {};
      const { rows } = await sql<{
        version: string;
      }>`select ${comparedVersion} as version from ownership_proofs o
        join properties p on p.id = o.property_id join agents a on a.id = o.agent_id where o.id = ${proof}`.execute(
        app.db.q(),
      );
      return sameOriginForm({
        intent: /verify|stale|unknown/.test(row) ? 'verify' : row.slice(5),
        proof: row === 'POST unknown' ? '00000000-0000-4000-8000-000000000000' : proof,
        version: row === 'POST stale' ? 'another' : (rows[0]?.version ?? ''),
      });
    },
    async verify({ text }, cell) {
      const { row, actor } = cell;
      if (row === 'GET .data') expect(text.includes(STREET)).toBe(actor === 'admin');
      const verified = row === 'POST verify' && actor === 'admin';
      expect((await proofsOf(cell)).map(({ status }) => status)).toEqual([verified ? 'verified' : 'waiting']);
    },
  },
};
