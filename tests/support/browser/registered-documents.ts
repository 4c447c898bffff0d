import { randomUUID } from 'node:crypto';
import type { Scenario } from './scenario.ts';

/** A registered document, by default of a new property at the address. */
export async function newDocument(
  { db, createListing }: Scenario,
  values: { address?: string | null; name: string; type?: string; [column: string]: unknown },
) {
  const { address = `${randomUUID().slice(0, 8)} Ferry Slip`, name, type = 'Deed', ...more } = values;
  const propertyId = address === null ? null : await createListing({ address, created_at: new Date() });
  const { id } = await db
    .q()
    .insertInto('document_registry')
    .values({
      property_id: propertyId,
      document_name: name,
      document_type: type,
      file_key: `documents/${randomUUID()}.pdf`,
      content_type: 'application/pdf',
      byte_size: 1,
      sha256: 'a'.repeat(64),
      ...more,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, propertyId };
}

/** A token of a document. */
export const newToken = (
  { db }: Scenario,
  values: {
    property_id: string;
    document_id: string;
    kind: 'property' | 'completion';
    [column: string]: unknown;
  },
) =>
  db
    .q()
    .insertInto('completion_nfts')
    .values({ recipient_address: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', ...values })
    .execute();

/** Of a file that no test stores. */
export const PUBLIC_CID = 'bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e';

/** A content address whose file is published, before any document has it. */
export const pinned = ({ db }: Scenario, cid: string) =>
  db
    .q()
    .insertInto('content_pins')
    .values({ cid, status: 'pinned', documents: 0, byte_size: 1, pinned_at: new Date() })
    .execute();

/** The hash of a transaction. */
export const TRANSACTION = `0x${'ab'.repeat(32)}`;
