import type { Context } from 'hono';
import { type EndpointDescription, inPath } from '#app/server/api-description.ts';
import type { WebEnv } from '#app/server/environment.ts';
import { propertyTypes, publicListingsBetween } from '#features/listings/reads.ts';
import { imageSources } from '#gateways/images/sources.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { paths } from '#routing/paths.ts';
import { verifyPaths } from '#routing/verify-paths.ts';
import { escapeXml } from './xml.ts';

// A file could hold 50,000 URLs, but making one of that size would keep all other requests waiting for a tenth of a second. When
// all listings fit, it is one file; otherwise an index of a file of pages and 256 of listings, each for those whose id begins
// with the same two digits: a range of the primary key.
export const SITEMAP_LISTINGS = 10_000;
const SHARDS = 256;
const PAGES = 'pages';

const idFrom = (digits: string) => `${digits}000000-0000-0000-0000-000000000000`;
const idTo = (digits: string) => `${digits}ffffff-ffff-ffff-ffff-ffffffffffff`;
const shardName = (index: number) => index.toString(16).padStart(2, '0');

/**
 * GET /sitemap.xml
 * @param limit the most listings that are one file with the other pages
 */
export const sitemapUpTo =
  (limit: number) =>
  async (c: Context<WebEnv>): Promise<Response> => {
    const { ctx } = c.var;
    const origin = ctx.config.publicUrl;
    const listings = await publicListingsBetween(ctx, {
      from: idFrom('00'),
      to: idTo('ff'),
      limit: limit + 1,
    });
    if (listings.length <= limit)
      return urlset([
        ...(await pageEntries(ctx)),
        ...listings.map((listing) => listingEntry(origin, listing)),
      ]);
    const names = [PAGES, ...Array.from({ length: SHARDS }, (_, index) => shardName(index))];
    const files = names.map((name) => `<sitemap><loc>${origin}/sitemap/${name}.xml</loc></sitemap>`);
    return xml(
      `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${files.join('')}</sitemapindex>`,
    );
  };

/** GET /sitemap/:shard, such as `0a.xml`, or `pages.xml` with what is no listing */
export async function sitemapShard(c: Context<WebEnv>): Promise<Response> {
  const { ctx } = c.var;
  const name = c.req.param('shard') ?? '';
  if (name === `${PAGES}.xml`) return urlset(await pageEntries(ctx));
  const digits = /^([0-9a-f]{2})\.xml$/.exec(name)?.[1];
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

/** The pages that are no listing. */
async function pageEntries(ctx: Ctx): Promise<string[]> {
  const types = await propertyTypes(ctx);
  return [
    paths.home(),
    paths.properties(),
    verifyPaths.verify(),
    ...types.map((type) => paths.properties({ type: type.slug })),
  ].map((path) => entry(ctx.config.publicUrl + path));
}

type Listed = Awaited<ReturnType<typeof publicListingsBetween>>[number];

const entry = (address: string, { changed, image }: { changed?: Date; image?: string } = {}) =>
  [
    `<url><loc>${escapeXml(address)}</loc>`,
    changed ? `<lastmod>${changed.toISOString()}</lastmod>` : '',
    image ? `<image:image><image:loc>${escapeXml(image)}</image:loc></image:image>` : '',
    '</url>',
  ].join('');
const listingEntry = (origin: string, { id, updatedAt, picture }: Listed) =>
  entry(origin + paths.property(id), {
    changed: updatedAt,
    ...(picture && { image: origin + imageSources(picture.id, picture.widths).src }),
  });
const urlset = (entries: string[]) =>
  xml(
    `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">${entries.join('')}</urlset>`,
  );
const xml = (body: string) =>
  new Response(`<?xml version="1.0" encoding="UTF-8"?>\n${body}`, {
    headers: { 'content-type': 'application/xml; charset=utf-8', 'cache-control': 'public, max-age=3600' },
  });

const XML = { 'application/xml': { type: 'string' } } as const;

export const sitemapDescriptions: readonly EndpointDescription[] = [
  {
    path: '/sitemap.xml',
    summary:
      'All public pages with their last change and main photo, or an index of a file of pages and 256 of listings',
    tag: 'Feeds',
    answers: { 200: { description: 'A sitemap or an index of sitemaps', content: XML } },
  },
  {
    path: '/sitemap/:shard',
    summary: 'A file of the sitemap: the pages, or one of 256 of listings',
    tag: 'Feeds',
    parameters: [inPath('shard', 'Two hexadecimal digits or pages, and .xml', '0a.xml')],
    answers: {
      200: { description: 'A sitemap', content: XML },
      404: { description: 'There is no such file' },
    },
  },
  {
    path: '/robots.txt',
    summary: 'What crawlers may read',
    tag: 'Feeds',
    answers: { 200: { description: 'Rules for crawlers', content: { 'text/plain': { type: 'string' } } } },
  },
];
