import type { Context } from 'hono';
import type { WebEnv } from '#app/server/environment.ts';
import { personalDataLimits } from '#features/personal-data/limits.ts';
import { exportOwnData, exportRequestedData } from '#features/personal-data/reads.ts';
import type { Ctx } from '#platform/context.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { paths } from '#routing/paths.ts';
import { fileDownload } from './file-download.ts';

/** GET /account/export : all personal data of the signed-in user as a download; visitors are redirected to sign in. */
export async function accountExport(c: Context<WebEnv>): Promise<Response> {
  const { ctx } = c.var;
  if (ctx.actor.kind !== 'user') return c.redirect(paths.buyerLogin({ next: paths.account() }));
  await takeTokens(ctx, personalDataLimits.export, `user:${ctx.actor.id}`);
  return download(ctx, 'acre-trading-post', exportOwnData(ctx));
}

/** GET /admin/personal-data/… : an export that the administrator has prepared; visitors must sign in. */
export async function requestedData(c: Context<WebEnv>): Promise<Response> {
  const { ctx } = c.var;
  if (ctx.actor.kind !== 'user') return c.redirect(paths.adminLogin());
  return download(ctx, 'personal-data', exportRequestedData(ctx, { link: c.req.param('link') ?? '' }));
}

function download(ctx: Ctx, name: string, body: AsyncIterable<string>): Response {
  const day = ctx.now().toISOString().slice(0, 10);
  return fileDownload({ name: `${name}-${day}.json`, type: 'application/json; charset=utf-8', body });
}
