import type { Context } from 'hono';
import { type EndpointDescription, inPath } from '#app/server/api-description.ts';
import type { WebEnv } from '#app/server/environment.ts';
import { calendarFile } from '#features/feeds/display.ts';
import { feedLimits } from '#features/feeds/limits.ts';
import type { SearchFeed } from '#features/feeds/model.ts';
import { closingDates, searchFeed, searchFeedPath } from '#features/feeds/reads.ts';
import { wholeDollars } from '#platform/money.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { feedPaths } from '#routing/feed-paths.ts';
import { paths } from '#routing/paths.ts';
import { sellerPaths } from '#routing/seller-paths.ts';
import { fileDownload } from './file-download.ts';
import { escapeXml } from './xml.ts';

const ADDRESS = /^([0-9a-f-]{36})\.([0-9a-f]{32})\.xml$/;

/** GET /saved-searches/:id/feed : leads the search's owner to its feed, whose address can be given to a feed reader. */
export async function toSearchFeed(c: Context<WebEnv>): Promise<Response> {
  const { ctx } = c.var;
  if (ctx.actor.kind !== 'user') return c.redirect(paths.buyerLogin({ next: paths.home() }));
  return c.redirect(await searchFeedPath(ctx, { searchId: c.req.param('id') ?? '' }));
}

/** GET /feeds/searches/:file : the newest matches of a saved search as RSS 2.0. */
export async function searchFeedFile(c: Context<WebEnv>): Promise<Response> {
  const { ctx } = c.var;
  const [, searchId = '', signature = ''] = ADDRESS.exec(c.req.param('file') ?? '') ?? [];
  const feed = await searchFeed(ctx, { searchId, signature });
  const self = ctx.config.publicUrl + feedPaths.search(searchId, signature);
  return new Response(rss(feed, ctx.config.publicUrl, self), {
    headers: {
      'content-type': 'application/rss+xml; charset=utf-8',
      'cache-control': 'private, max-age=900',
      'x-robots-tag': 'noindex',
      'referrer-policy': 'no-referrer',
    },
  });
}

/** GET /closing-dates.ics : what is due in the viewer's sales in escrow, as a calendar file; visitors must sign in. */
export async function closingCalendar(c: Context<WebEnv>): Promise<Response> {
  const { ctx } = c.var;
  if (ctx.actor.kind !== 'user') return c.redirect(paths.buyerLogin({ next: feedPaths.closingDates() }));
  await takeTokens(ctx, feedLimits.calendar, `user:${ctx.actor.id}`);
  const { publicUrl } = ctx.config;
  const body = calendarFile(await closingDates(ctx), {
    host: new URL(publicUrl).hostname,
    urlOf: ({ saleId, party }) =>
      publicUrl + (party === 'seller' ? sellerPaths.sale(saleId) : `/buyer/sales/${saleId}`),
  });
  return fileDownload({ name: 'closing-dates.ics', type: 'text/calendar; charset=utf-8', body });
}

function rss({ name, brand, items }: SearchFeed, origin: string, self: string): string {
  const entries = items.map(({ propertyId, address, town, totalCents, matchedAt }) => {
    const link = escapeXml(origin + paths.property(propertyId));
    return [
      `<item><title>${escapeXml(`${address}, ${town}: ${wholeDollars(totalCents)}`)}</title>`,
      `<link>${link}</link><guid isPermaLink="true">${link}</guid>`,
      `<pubDate>${matchedAt.toUTCString()}</pubDate></item>`,
    ].join('');
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>',
    `<title>${escapeXml(`${name} – ${brand}`)}</title><link>${escapeXml(origin + paths.properties())}</link>`,
    `<description>${escapeXml(`New properties for your saved search “${name}”.`)}</description>`,
    `<atom:link href="${escapeXml(self)}" rel="self" type="application/rss+xml"/>`,
    ...entries,
    '</channel></rss>\n',
  ].join('');
}

export const searchFeedDescription: EndpointDescription = {
  path: '/feeds/searches/:file',
  summary: 'The newest fifty matches of a saved search as RSS 2.0, for whoever was given its address',
  tag: 'Feeds',
  parameters: [inPath('file', 'As the owner of the search was given it', 'nothing.xml')],
  answers: {
    200: { description: 'A feed', content: { 'application/rss+xml': { type: 'string' } } },
    404: { description: 'There is no such feed' },
    429: { description: 'Too many requests' },
  },
};
