import type { Context } from 'hono';
import type { WebEnv } from '#app/server/environment.ts';
import { exportLimits } from '#features/listing-export/limits.ts';
import { ownListingsCsv, ownListingsJson } from '#features/listing-export/reads.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { CSV_TYPE } from '#platform/table-file/csv.ts';
import { paths } from '#routing/paths.ts';
import { sellerPaths } from '#routing/seller-paths.ts';
import { fileDownload } from './file-download.ts';

/** GET /agent/listings.csv, /agent/listings.json : the seller's listings as a download; visitors must sign in (R14). */
export const sellerListings =
  (format: 'csv' | 'json') =>
  async (c: Context<WebEnv>): Promise<Response> => {
    const { ctx } = c.var;
    if (ctx.actor.kind !== 'user') return c.redirect(paths.sellerLogin({ next: sellerPaths.properties() }));
    const body = format === 'csv' ? ownListingsCsv(ctx) : ownListingsJson(ctx);
    await takeTokens(ctx, exportLimits.file, `user:${ctx.actor.id}`);
    const day = ctx.now().toISOString().slice(0, 10);
    const type = format === 'csv' ? CSV_TYPE : 'application/json; charset=utf-8';
    return fileDownload({ name: `listings-${day}.${format}`, type, body });
  };
