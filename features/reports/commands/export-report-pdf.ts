import { brandName } from '#features/settings/reads.ts';
import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { reportLimits } from '../limits.ts';
import type { ReportQuery } from '../model.ts';
import { reportContent } from '../report-content.ts';
import type { ReportTab } from '../report-figures.ts';
import { reportFileName } from '../report-labels.ts';
import { reportPdf } from '../report-pdf.ts';
import { mayReadReports } from '../rules.ts';

/**
 * A tab of the reports as a PDF: its figures, charts and tables. That it was exported is recorded.
 * @throws Unauthenticated, Forbidden for everyone but administrators; TooManyRequests (120 an hour)
 */
export async function exportReportPdf(
  ctx: Ctx,
  { tab, query }: { tab: ReportTab; query: ReportQuery },
): Promise<{ name: string; type: string; body: Uint8Array<ArrayBuffer> }> {
  const user = authorizedUser(ctx, mayReadReports);
  await takeTokens(ctx, reportLimits.file, `user:${user.id}`);
  const content = await reportContent(ctx, tab, query);
  const brand = await brandName(ctx);
  await audit(ctx, {
    action: 'report.export',
    entity: 'report',
    entityId: tab,
    after: { format: 'pdf', ...query },
  });
  // Loaded when the first document is printed: most processes never print one.
  const { renderPdf } = await import('#platform/pdf/render.ts');
  return {
    name: reportFileName('pdf', tab, query),
    type: 'application/pdf',
    body: await renderPdf(reportPdf({ brand, tab, query, ...content })),
  };
}
