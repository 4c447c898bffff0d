import { sql } from 'kysely';
import { scopes } from '#features/api-keys/model.ts';
import { resoPage } from '#features/reso/reads.ts';
import { authorizedSeller } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { csvFile } from '#platform/table-file/csv.ts';
import { type ExportedListing, exportColumns } from './model.ts';
import { mayExportListings } from './rules.ts';

/** Listings that are read at a time. */
const BATCH = 500;

/**
 * All listings of the seller that are not deleted, in every status, as a CSV file that the import reads; streamed.
 * @throws Unauthenticated, Forbidden for everyone but sellers; right away, not with the first chunk
 */
export function ownListingsCsv(ctx: Ctx): AsyncIterable<string> {
  const { agentId } = authorizedSeller(ctx, mayExportListings);
  return csvFile(exportColumns, listingBatches(ctx, agentId));
}

/**
 * The listings of the seller that are exchanged, as RESO JSON with their photos; streamed. `ListingKey` is the name that a listing has
 * in its source, where it has one, so that an import finds it again.
 * @throws as `ownListingsCsv`
 */
export function ownListingsJson(ctx: Ctx): AsyncIterable<string> {
  const { agentId } = authorizedSeller(ctx, mayExportListings);
  return jsonPieces(ctx, agentId);
}

async function* listingBatches(ctx: Ctx, agentId: string): AsyncGenerator<ExportedListing[]> {
  const root = `${ctx.config.publicUrl}/media/images/`;
  let after: string | null = null;
  for (;;) {
    const rows: ExportedListing[] = (
      await sql<ExportedListing>`
        select p.id, p.source_id, p.price_cents, p.address, t.name as property_type, p.title, p.city, p.state, p.zip,
          p.neighborhood, p.description, p.bedrooms, p.bathrooms, p.half_baths, p.square_feet, p.lot_square_feet,
          p.year_built, p.latitude, p.longitude, p.mls_name, p.mls_number, p.status,
          array(select ${root}::text || s.id || '/' || (select max(w) from unnest(s.widths) w) || '.webp'
            from property_images i join stored_images s on s.id = i.image_id
            where i.property_id = p.id order by i.is_main desc, i.position, i.id) as photo_urls
        from properties p left join property_types t on t.id = p.type_id
        where p.agent_id = ${agentId}::uuid and p.deleted_at is null
          ${after === null ? sql`` : sql`and p.id > ${after}::uuid`}
        order by p.id limit ${BATCH}`.execute(ctx.db.replica())
    ).rows;
    if (rows.length > 0) yield rows;
    if (rows.length < BATCH) return;
    after = rows.at(-1)?.id ?? null;
  }
}

async function* jsonPieces(ctx: Ctx, agentId: string): AsyncGenerator<string> {
  const grant = { keyId: 'export', scopes, agentId };
  yield `{"@odata.context":"${ctx.config.publicUrl}/reso/odata/$metadata#Property","value":[`;
  let params: URLSearchParams | null = new URLSearchParams('$expand=Media&$orderby=ListingKey');
  let first = true;
  while (params) {
    const { records, next } = await resoPage(ctx, grant, {
      resource: 'Property',
      params,
      prefer: 'maxpagesize=200',
    });
    for (const record of records) {
      const named = { ...record, ListingKey: record.SourceSystemKey ?? record.ListingKey };
      yield `${first ? '' : ','}\n${JSON.stringify(named)}`;
      first = false;
    }
    params = next === null ? null : new URLSearchParams(next);
  }
  yield '\n]}\n';
}
