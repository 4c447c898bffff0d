import type { Context } from 'hono';
import type { WebEnv } from '#app/server/environment.ts';
import { feedLimits } from '#features/feeds/limits.ts';
import { tourFile } from '#features/tours/reads.ts';
import { NotFound } from '#platform/errors.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { paths } from '#routing/paths.ts';
import { tourPaths } from '#routing/tour-paths.ts';
import { fileDownload } from './file-download.ts';

/** GET /tours/:file : the calendar file of a confirmed tour, for its parties; visitors must sign in. */
export async function tourCalendarFile(c: Context<WebEnv>): Promise<Response> {
  const { ctx } = c.var;
  const [, id = ''] = /^([0-9a-f-]{36})\.ics$/.exec(c.req.param('file') ?? '') ?? [];
  if (!id) throw new NotFound();
  if (ctx.actor.kind !== 'user') return c.redirect(paths.buyerLogin({ next: tourPaths.file(id) }));
  await takeTokens(ctx, feedLimits.calendar, `user:${ctx.actor.id}`);
  return fileDownload({
    name: 'tour.ics',
    type: 'text/calendar; charset=utf-8; method=REQUEST',
    body: await tourFile(ctx, id),
  });
}
