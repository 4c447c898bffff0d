import type { Context } from 'hono';
import type { WebEnv } from '#app/server/environment.ts';
import { buyerFees } from '#features/fees/reads.ts';
import { baseBounds, totalCents } from '#features/fees/rules.ts';
import { propertyTypes } from '#features/listings/reads.ts';
import type { MapMarkerJson } from '#features/search/components/map-marker-json.ts';
import { mapMarkers } from '#features/search/reads.ts';
import { parseCriteria } from '#features/search/rules.ts';

/** GET /api/map : the map markers for the search criteria in the query, clustered for `zoom`. */
export async function mapMarkersEndpoint(c: Context<WebEnv>): Promise<Response> {
  const { ctx } = c.var;
  const [types, fees] = await Promise.all([propertyTypes(ctx), buyerFees(ctx)]);
  const criteria = parseCriteria(new URL(c.req.url).searchParams, types, baseBounds(fees));
  const zoom = Number(c.req.query('zoom'));
  const markers = await mapMarkers(ctx, criteria, Number.isFinite(zoom) ? zoom : 4);
  const links = markers.map(
    ({ latitude, longitude, count, approximate, listing }): MapMarkerJson => ({
      latitude,
      longitude,
      count,
      approximate,
      listing: listing && {
        id: listing.id,
        address: listing.address,
        totalCents: totalCents(listing.priceCents, fees),
      },
    }),
  );
  return c.json(links, 200, { 'cache-control': 'private, max-age=30' });
}
