import { type RawBuilder, sql } from 'kysely';
import { configuredNetwork } from '#features/chain/configured-network.ts';
import { townLine } from '#features/listings/display.ts';
import type { ListingPicture, PropertyStatus } from '#features/listings/model.ts';
import { mainPicture } from '#features/listings/sql.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { isUuid } from '#platform/uuid.ts';
import type { StoredDocument } from './model.ts';
import {
  type DocumentsProperty,
  type DocumentVersion,
  type DocumentWithVersions,
  type PropertyChoice,
  type PropertyDocuments,
  REGISTRY_PAGE_SIZE,
  type RegistryStatus,
} from './registry-model.ts';
import { askedForOn } from './registry-sql.ts';
import { sameDocument } from './same-document.ts';

interface PropertyRow {
  id: string;
  address: string;
  city: string;
  state: string;
  zip: string;
  seller: string;
  type: string;
  picture: ListingPicture | null;
  status: PropertyStatus;
  price_cents: number;
  sold_at: Date | null;
  sold_cents: number | null;
}

/**
 * What stands above the documents of a property, deleted ones included: their documents stay.
 * @throws NotFound
 */
export async function documentsProperty(ctx: Ctx, propertyId: string): Promise<DocumentsProperty> {
  if (!isUuid(propertyId)) throw new NotFound('Property not found');
  const { rows } = await sql<PropertyRow>`
    select p.id, p.address, p.city, p.state, p.zip, a.name as seller, coalesce(t.name, 'Residential') as type,
      ${mainPicture('p')} as picture, p.status, p.price_cents, s.at as sold_at, s.cents as sold_cents
    from properties p join agents a on a.id = p.agent_id left join property_types t on t.id = p.type_id
      left join lateral (select coalesce(s.sale_date, s.created_at) as at, s.sale_price_cents as cents from property_sales s
        where s.property_id = p.id and s.escrow_status = 'completed' order by s.created_at desc limit 1) s on true
    where p.id = ${propertyId}`.execute(ctx.db.q());
  const row = rows[0];
  if (!row) throw new NotFound('Property not found');
  return {
    id: row.id,
    address: row.address,
    town: townLine(row),
    seller: row.seller,
    type: row.type,
    picture: row.picture,
    status: row.status,
    priceCents: row.price_cents,
    sold:
      row.sold_at && row.sold_cents !== null
        ? { at: row.sold_at.toISOString(), priceCents: row.sold_cents }
        : null,
  };
}

interface Row {
  id: string;
  name: string;
  type: string;
  version: number;
  sha256: string;
  size: number;
  scan: StoredDocument['scan'];
  visibility: 'private' | 'public';
  origin: 'uploaded' | 'made';
  created_at: Date;
  status: RegistryStatus;
  reason: string | null;
  network: string | null;
  hash: string | null;
  cid: string | null;
  uploaded_by: string | null;
  requested: boolean;
  elsewhere: boolean;
  erased: boolean;
  /** the id of the newest version */
  head: string;
}

/** @param network the configured one; without one, what was asked for on any waits or is done */
const columnsFor = (
  network: string | null,
) => sql`d.id, d.document_name as name, d.document_type as type, d.version, d.sha256, d.byte_size as size, d.scan,
  d.visibility, d.origin, d.created_at, d.status, d.failure_reason as reason, d.network, d.base_tx_hash as hash, d.cid,
  u.name as uploaded_by, exists (select from document_anchors a where a.document_id = d.id
    and ${askedForOn(network)}) as requested,
  coalesce(d.network <> ${network}, false) as elsewhere, d.erased_at is not null as erased`;
/**
 * A page of a property's documents by their newest versions, newest first, with the versions before.
 * @throws NotFound
 */
export async function documentsOf(
  ctx: Ctx,
  query: { propertyId: string; type?: string | null; page?: number },
): Promise<PropertyDocuments> {
  const property = await documentsProperty(ctx, query.propertyId);
  const { rows: newest } = await sql<{ id: string; type: string }>`
    select d.id, d.document_type as type from document_registry d
    where d.property_id = ${property.id} and not d.is_test
      and not exists (select from document_registry n where ${sameDocument('n', 'd')} and n.version > d.version)
    order by d.created_at desc, d.id`.execute(ctx.db.q());
  const matching = query.type ? newest.filter(({ type }) => type === query.type) : newest;
  const pages = Math.max(1, Math.ceil(matching.length / REGISTRY_PAGE_SIZE));
  const page = Math.min(Math.max(1, Math.trunc(query.page ?? 1)), pages);
  const shown = matching
    .slice((page - 1) * REGISTRY_PAGE_SIZE, page * REGISTRY_PAGE_SIZE)
    .map(({ id }) => id);
  return {
    property,
    documents: await withVersions(ctx, shown),
    total: matching.length,
    page,
    pages,
    types: [...new Set(newest.map(({ type }) => type))].sort(),
  };
}

/** The documents with these ids, in their order, with the versions before them. */
async function withVersions(ctx: Ctx, ids: readonly string[]): Promise<DocumentWithVersions[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<Row>`
    select ${columnsFor(configuredNetwork(ctx))}, n.id as head
    from unnest(${[...ids]}::uuid[]) wanted(id) join document_registry n on n.id = wanted.id
      join document_registry d on ${sameDocument('n', 'd')} and d.version <= n.version and not d.is_test
      left join users u on u.id = d.uploaded_by
    order by d.version desc`.execute(ctx.db.q());
  return ids.flatMap((id) => {
    const [first, ...before] = rows.filter(({ head }) => head === id);
    if (!first) return [];
    const { type, origin, uploaded_by: uploadedBy } = first;
    return [{ ...versionOf(first), type, origin, uploadedBy, earlier: before.map(versionOf) }];
  });
}

const versionOf = (row: Row): DocumentVersion => ({
  id: row.id,
  name: row.name,
  version: row.version,
  sha256: row.sha256,
  byteSize: Number(row.size),
  scan: row.scan,
  visibility: row.visibility,
  createdAt: row.created_at.toISOString(),
  status: row.status,
  reason: row.reason,
  network: row.network,
  transactionHash: row.hash,
  cid: row.visibility === 'public' ? row.cid : null,
  requested: row.requested,
  elsewhere: row.elsewhere,
  erased: row.erased,
});

const CHOICES = 8;
/** The newest properties among which matches are looked for before an index is asked. */
const LOOKED_THROUGH = 3_000;
const MAX_WORDS = 6;

/**
 * The newest properties whose address has all the words; deleted ones are left out. A text without three letters finds those that begin
 * with it, since the index knows sequences of three.
 */
export async function propertiesMatching(ctx: Ctx, q: string): Promise<PropertyChoice[]> {
  const text = q.replaceAll('\0', ' ').trim().toLowerCase().slice(0, 200);
  const pattern = (part: string) => part.replace(/[\\%_]/g, '\\$&');
  const words = text.split(/\s+/).slice(0, MAX_WORDS);
  const place = sql`lower(p.address || ' ' || p.city || ' ' || p.state || ' ' || p.zip)`;
  const where = words.some((word) => /[\p{L}\p{N}]{3}/u.test(word))
    ? sql.join(
        words.map((word) => sql`${place} like ${`%${pattern(word)}%`}`),
        sql` and `,
      )
    : sql`lower(p.address) collate "C" like ${`${pattern(text)}%`}`;
  const newest = sql`order by p.created_at desc, p.id desc`;
  const choices = (of: RawBuilder<unknown>) =>
    choicesOf(ctx, sql`select p.id from ${of} p ${newest} limit ${CHOICES}`);
  if (text === '') return choices(sql`(select * from properties where deleted_at is null)`);
  // Words that many addresses have are among the newest; those of the others are soon found by their index, which `offset` asks for.
  const near = await choices(
    sql`(select * from (select * from properties p where p.deleted_at is null ${newest} limit ${LOOKED_THROUGH}) p where ${where})`,
  );
  return near.length === CHOICES
    ? near
    : choices(sql`(select * from properties p where p.deleted_at is null and ${where} offset 0)`);
}

/** @param ids SQL that selects the ids of properties */
async function choicesOf(ctx: Ctx, ids: RawBuilder<unknown>): Promise<PropertyChoice[]> {
  const { rows } = await sql<{
    id: string;
    address: string;
    city: string;
    state: string;
    zip: string;
    seller: string;
  }>`
    select p.id, p.address, p.city, p.state, p.zip, a.name as seller
    from (${ids}) hit
      join properties p using (id) join agents a on a.id = p.agent_id
    order by p.created_at desc, p.id desc`.execute(ctx.db.q());
  return rows.map(({ id, address, seller, ...at }) => ({ id, address, town: townLine(at), seller }));
}
