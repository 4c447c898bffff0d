import type { Context } from 'hono';
import type { WebEnv } from '#app/server/environment.ts';
import { exportReportPdf } from '#features/reports/commands/export-report-pdf.ts';
import { exportReportTable } from '#features/reports/commands/export-report-table.ts';
import { type ReportView, reportViewFrom } from '#features/reports/range.ts';
import { weeklyMailChoice } from '#features/reports/reads.ts';
import type { Ctx } from '#platform/context.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { paths } from '#routing/paths.ts';
import { fileDownload } from './file-download.ts';

/** GET /admin/reports.csv?table= : a table of a tab of the reports as a download; visitors must sign in (R14). */
export async function reportTableFile(c: Context<WebEnv>): Promise<Response> {
  const { ctx } = c.var;
  if (ctx.actor.kind !== 'user') return signIn(c);
  const { tab, query } = await viewOf(ctx, c.req.url);
  const table = c.req.query('table') ?? '';
  return fileDownload(await exportReportTable(ctx, { tab, table, query }));
}

/** GET /admin/reports.pdf : a tab of the reports as a download; visitors must sign in (R14). */
export async function reportPdfFile(c: Context<WebEnv>): Promise<Response> {
  const { ctx } = c.var;
  if (ctx.actor.kind !== 'user') return signIn(c);
  const { tab, query } = await viewOf(ctx, c.req.url);
  return fileDownload(await exportReportPdf(ctx, { tab, query }));
}

const signIn = (c: Context<WebEnv>): Response => c.redirect(paths.adminLogin({ next: adminPaths.reports() }));

/** The view that the address names; a zone that it does not name is the administrator's. */
async function viewOf(ctx: Ctx, url: string): Promise<ReportView> {
  const { zone } = await weeklyMailChoice(ctx);
  return reportViewFrom(new URL(url).searchParams, { now: ctx.now(), zone });
}
