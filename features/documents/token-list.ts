import { type RawBuilder, sql } from 'kysely';
import { townLine } from '#features/listings/display.ts';
import type { Ctx } from '#platform/context.ts';
import { COUNTED_MATCHES, lastPageOf } from '#platform/counts.ts';
import { boundedCount, boundedMatchCount } from '#platform/db/bounded-count.ts';
import {
  REGISTRY_PAGE_SIZE,
  type RegistryStatus,
  type RegistryToken,
  type TokenList,
  type TokenListQuery,
} from './registry-model.ts';
import { wordsIn } from './registry-search.ts';

/** Of one property so many are listed. */
const TOKENS_OF_PROPERTY = 100;

/** Along an index for each column of tokens of one kind; newest first by default. */
function orderOf(sort: TokenListQuery['sort']): RawBuilder<unknown> {
  const { by, descending } = sort ?? { by: 'date' as const, descending: true };
  if (by === 'token') return descending ? sql`n.token_id desc, n.id desc` : sql`n.token_id, n.id`;
  return descending ? sql`n.created_at desc, n.id` : sql`n.created_at, n.id desc`;
}

interface Row {
  id: string;
  kind: RegistryToken['kind'];
  name: string | null;
  token_id: string;
  created_at: Date;
  property_id: string;
  address: string;
  city: string;
  state: string;
  zip: string;
  status: RegistryStatus;
  reason: string | null;
  network: string | null;
  hash: string;
  recipient: string;
  custody: boolean;
  document: string | null;
}

/** A page of the tokens of a kind that match, newest first unless sorted. */
export async function tokenPage(ctx: Ctx, query: TokenListQuery): Promise<TokenList> {
  const words = wordsIn(sql`n.search_text`, (query.q ?? '').slice(0, 200));
  const where = sql`n.kind = ${query.kind} ${words ? sql`and ${words}` : sql``}`;
  const from = sql`from completion_nfts n where ${where}`;
  const total = await (words ? boundedMatchCount(ctx, from, COUNTED_MATCHES) : boundedCount(ctx, from));
  if (total.count === 0) return { rows: [], total, page: 1, pages: 1 };
  const size = query.size ?? REGISTRY_PAGE_SIZE;
  const pages = lastPageOf(total, size);
  const page = Math.min(Math.max(1, Math.trunc(query.page ?? 1)), pages);
  const source =
    words && !total.more
      ? sql`(select * from completion_nfts n where ${where} offset 0) n`
      : sql`completion_nfts n where ${where}`;
  const rows = await tokenRows(
    ctx,
    sql`select n.id from ${source} order by ${orderOf(query.sort)}
      limit ${size} offset ${(page - 1) * size}`,
  );
  return { rows, total, page, pages };
}

/** The newest tokens of a property, of one kind or of both. */
export const tokensOf = (
  ctx: Ctx,
  { propertyId, kind }: { propertyId: string; kind?: RegistryToken['kind'] },
): Promise<RegistryToken[]> =>
  tokenRows(
    ctx,
    sql`select n.id from completion_nfts n
      where n.property_id = ${propertyId} ${kind ? sql`and n.kind = ${kind}` : sql``}
      order by n.created_at desc, n.id limit ${TOKENS_OF_PROPERTY}`,
  );

/** @param ids SQL that selects the ids in their order */
async function tokenRows(ctx: Ctx, ids: RawBuilder<unknown>): Promise<RegistryToken[]> {
  const { rows } = await sql<Row>`
    select n.id, n.kind, case when jsonb_typeof(n.metadata -> 'name') = 'string' then n.metadata ->> 'name' end as name,
      n.token_id::text as token_id, n.created_at, n.property_id, p.address, p.city, p.state, p.zip, n.status,
      n.failure_reason as reason, n.network, n.base_tx_hash as hash, n.recipient_address as recipient, n.custody,
      d.document_name as document
    from (select row_number() over () as place, found.id from (${ids}) found) page
      join completion_nfts n on n.id = page.id join properties p on p.id = n.property_id
      left join document_registry d on d.id = n.document_id
    order by page.place`.execute(ctx.db.q());
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    name: row.name?.trim() ?? '',
    // The contract numbers its tokens from 1, so that 0 stands for none.
    tokenId: row.token_id === '0' ? null : row.token_id,
    createdAt: row.created_at.toISOString(),
    property: { id: row.property_id, address: row.address, town: townLine(row) },
    status: row.status,
    reason: row.reason,
    network: row.network,
    transactionHash: row.hash || null,
    recipient: row.custody ? null : row.recipient,
    documentName: row.document,
  }));
}
