import { sql } from 'kysely';
import type { Query } from '#platform/db/database.ts';
import type { FieldContext } from './model.ts';
import type { QueryOptions } from './odata/options.ts';
import { type ResoRecord, recordColumns, toRecord } from './record.ts';
import { media } from './resources.ts';

/**
 * The photos of listings that the caller has found visible, by the listing's key, in their order.
 * @param keys ids of listings
 */
export async function mediaOf(
  keys: readonly string[],
  {
    query,
    options,
    context,
    most = Number.MAX_SAFE_INTEGER,
  }: { query: Query; options: Pick<QueryOptions, 'media'>; context: FieldContext; most?: number },
): Promise<Map<string, ResoRecord[]>> {
  const found = new Map<string, ResoRecord[]>();
  if (keys.length === 0) return found;
  const select = options.media?.select ?? null;
  const { rows } = await sql<Record<string, unknown> & { listing: string; place: number }>`
    select * from (
      select ${recordColumns(media, select, context)}, i.property_id as listing,
        row_number() over (partition by i.property_id order by i.is_main desc, i.position, i.id) as place
      from ${media.from} where i.property_id = any(${keys}::uuid[])) numbered
    where place <= ${most}::bigint order by listing, place`.execute(query);
  for (const row of rows) {
    const list = found.get(row.listing) ?? [];
    list.push(toRecord(media, select, row));
    found.set(row.listing, list);
  }
  return found;
}
