import type { Context } from 'hono';
import type { WebEnv } from '#app/server/environment.ts';
import { propertyTypes, publicListingsBetween } from '#features/listings/reads.ts';
import { NotFound } from '#platform/errors.ts';
import { paths } from '#routing/paths.ts';
import { verifyPaths } from '#routing/verify-paths.ts';

// A file could hold 50,000 URLs, but making one of that size would keep all other requests waiting for a tenth of a second. When
// all listings fit, it is one file; otherwise an index of 256 files, each for the listings whose id begins with the same two
// digits: a range of the primary key.
const LIMIT = 10_000;
const SHARDS = 256;

const idFrom = (digits: string) => `${digits}000000-0000-0000-0000-000000000000`;
const idTo = (digits: string) => `${digits}ffffff-ffff-ffff-ffff-ffffffffffff`;
const shardName = (index: number) => index.toString(16).padStart(2, '0');

/** GET /sitemap.xml */
export async function sitemap(c: Context<WebEnv>): Promise<Response> {
  const { ctx } = c.var;
  const origin = ctx.config.publicUrl;
  const listings = await publicListingsBetween(ctx, { from: idFrom('00'), to: idTo('ff'), limit: LIMIT + 1 });
  if (listings.length > LIMIT) {
    const files = Array.from(
      { length: SHARDS },
      (_, index) => `<sitemap><loc>${origin}/sitemap/${shardName(index)}.xml</loc></sitemap>`,
    );
    return xml(
      `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${files.join('')}</sitemapindex>`,
    );
  }
  const types = await propertyTypes(ctx);
  const pages = [
    paths.home(),
    paths.properties(),
    verifyPaths.verify(),
    ...types.map((type) => paths.properties({ type: type.slug })),
  ];
  return urlset([
    ...pages.map((path) => entry(origin + path)),
    ...listings.map((listing) => listingEntry(origin, listing)),
  ]);
}

/** GET /sitemap/:shard, such as `0a.xml` */
export async function sitemapShard(c: Context<WebEnv>): Promise<Response> {
  const { ctx } = c.var;
  const digits = /^([0-9a-f]{2})\.xml$/.exec(c.req.param('shard') ?? '')?.[1];
  if (!digits) throw new NotFound();
  const listings = await publicListingsBetween(ctx, {
    from: idFrom(digits),
    to: idTo(digits),
    limit: 50_000,
  });
  return urlset(listings.map((listing) => listingEntry(ctx.config.publicUrl, listing)));
}

/** GET /robots.txt */
export function robots(c: Context<WebEnv>): Response {
  const closed = ['/buyer/', '/agent/', '/admin', '/account', '/api/', '/dev/', '/reset-password'];
  const lines = [
    'User-agent: *',
    ...closed.map((path) => `Disallow: ${path}`),
    `Sitemap: ${c.var.ctx.config.publicUrl}/sitemap.xml`,
  ];
  return c.text(`${lines.join('\n')}\n`);
}

const entry = (address: string, changed?: Date) =>
  `<url><loc>${escapeXml(address)}</loc>${changed ? `<lastmod>${changed.toISOString()}</lastmod>` : ''}</url>`;
const listingEntry = (origin: string, listing: { id: string; updatedAt: Date }) =>
  entry(origin + paths.property(listing.id), listing.updatedAt);
const urlset = (entries: string[]) =>
  xml(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join('')}</urlset>`);
const xml = (body: string) =>
  new Response(`<?xml version="1.0" encoding="UTF-8"?>\n${body}`, {
    headers: { 'content-type': 'application/xml; charset=utf-8', 'cache-control': 'public, max-age=3600' },
  });
const escapeXml = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');
