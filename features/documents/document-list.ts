import { type RawBuilder, sql } from 'kysely';
import { configuredNetwork } from '#features/chain/configured-network.ts';
import { townLine } from '#features/listings/display.ts';
import { totalOf } from '#features/totals/sql.ts';
import type { Ctx } from '#platform/context.ts';
import { COUNT_LIMIT, COUNTED_MATCHES, lastPageOf } from '#platform/counts.ts';
import { boundedCount, boundedMatchCount } from '#platform/db/bounded-count.ts';
import {
  type DocumentList,
  type DocumentListQuery,
  type DocumentSort,
  type DocumentTotals,
  REGISTRY_PAGE_SIZE,
  type RegistryDocument,
  type RegistryStatus,
} from './registry-model.ts';
import { wordsIn } from './registry-search.ts';
import { askedForOn } from './registry-sql.ts';

/** Sortable columns over `d`, each along an index of its own; of equal ones the newest comes first, backwards the oldest. */
const orders = {
  name: (way, _back) => sql`lower(d.document_name) collate "C" ${way}, d.id ${way}`,
  type: (way, back) => sql`d.document_type ${way}, d.created_at ${back}, d.id ${way}`,
  date: (way, back) => sql`d.created_at ${way}, d.id ${back}`,
  status: (way, back) => sql`d.status ${way}, d.created_at ${back}, d.id ${way}`,
} satisfies Record<
  DocumentSort,
  (way: RawBuilder<unknown>, back: RawBuilder<unknown>) => RawBuilder<unknown>
>;
const [up, down] = [sql`asc`, sql`desc`];

function orderOf(sort: DocumentListQuery['sort']): RawBuilder<unknown> {
  const { by, descending } = sort ?? { by: 'date' as const, descending: true };
  return descending ? orders[by](down, up) : orders[by](up, down);
}

interface Row {
  id: string;
  name: string;
  type: string;
  created_at: Date;
  property_id: string | null;
  address: string | null;
  city: string | null;
  state: string | null;
  zip: string | null;
  visibility: 'private' | 'public';
  status: RegistryStatus;
  reason: string | null;
  network: string | null;
  hash: string | null;
  cid: string | null;
  retryable: boolean;
}

/**
 * Whether matches can lie far apart in the order: names begin with their type, so those of one type lie together, behind all others. They
 * are rather counted, and sorted, as far as anything is.
 */
const isScattered = ({ sort, type }: DocumentListQuery): boolean => sort?.by === 'name' && !type;

/** A page of all documents that match, newest first unless sorted; test documents are left out. */
export async function documentPage(ctx: Ctx, query: DocumentListQuery): Promise<DocumentList> {
  const words = wordsIn(sql`d.search_text`, (query.q ?? '').slice(0, 200));
  const where = sql.join(
    [
      sql`not d.is_test`,
      ...(query.type ? [sql`d.document_type = ${query.type}`] : []),
      ...(words ? [words] : []),
    ],
    sql` and `,
  );
  const from = sql`from document_registry d where ${where}`;
  const total = await (words
    ? boundedMatchCount(ctx, from, isScattered(query) ? COUNT_LIMIT : COUNTED_MATCHES)
    : boundedCount(ctx, from));
  if (total.count === 0) return { rows: [], total, page: 1, pages: 1 };
  const size = query.size ?? REGISTRY_PAGE_SIZE;
  const pages = lastPageOf(total, size);
  const page = Math.min(Math.max(1, Math.trunc(query.page ?? 1)), pages);
  const cut = sql`limit ${size} offset ${(page - 1) * size}`;
  // Few matches are looked up and sorted; of many, enough are soon met along the index of the order.
  const source =
    words && !total.more
      ? sql`(select * from document_registry d where ${where} offset 0) d`
      : sql`document_registry d where ${where}`;
  const { rows } = await sql<Row>`
    select d.id, d.document_name as name, d.document_type as type, d.created_at, d.property_id, p.address, p.city, p.state, p.zip,
      d.visibility, d.status, d.failure_reason as reason, d.network, d.base_tx_hash as hash, d.cid,
      d.status = 'failed' and d.erased_at is null and d.scan <> 'held' and exists (select from document_anchors a
        where a.document_id = d.id and ${askedForOn(configuredNetwork(ctx))}) as retryable
    from (select row_number() over () as place, found.id
        from (select d.id from ${source} order by ${orderOf(query.sort)} ${cut}) found) page
      join document_registry d on d.id = page.id left join properties p on p.id = d.property_id
    order by page.place`.execute(ctx.db.q());
  return { rows: rows.map(documentOf), total, page, pages };
}

const documentOf = (row: Row): RegistryDocument => ({
  id: row.id,
  name: row.name,
  type: row.type,
  createdAt: row.created_at.toISOString(),
  property:
    row.property_id === null
      ? null
      : {
          id: row.property_id,
          address: row.address ?? '',
          town: townLine({ city: row.city ?? '', state: row.state ?? '', zip: row.zip ?? '' }),
        },
  visibility: row.visibility,
  status: row.status,
  reason: row.reason,
  network: row.network,
  transactionHash: row.hash,
  cid: row.visibility === 'public' ? row.cid : null,
  retryable: row.retryable,
});

/** The types that documents have, test documents aside, found along their index however many documents there are. */
export async function typesInUse(ctx: Ctx): Promise<string[]> {
  const { rows } = await sql<{ type: string }>`
    with recursive types as (
      (select document_type as type from document_registry where not is_test order by document_type limit 1)
      union all
      select (select d.document_type from document_registry d where not d.is_test and d.document_type > t.type
        order by d.document_type limit 1)
      from types t where t.type is not null)
    select type from types where type is not null`.execute(ctx.db.q());
  return rows.map(({ type }) => type);
}

/** Counts by the database; of more than 10,000 the number is minutes old. */
export async function totalsOf(ctx: Ctx): Promise<DocumentTotals> {
  const [documents, properties, completionTokens] = await Promise.all([
    totalOf(ctx, 'documents'),
    totalOf(ctx, 'properties with documents'),
    totalOf(ctx, 'completion tokens'),
  ]);
  return { documents, properties, completionTokens };
}
