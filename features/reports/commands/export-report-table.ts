import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { CSV_TYPE } from '#platform/table-file/csv.ts';
import { reportLimits } from '../limits.ts';
import type { ReportQuery } from '../model.ts';
import { reportContent } from '../report-content.ts';
import { reportCsv } from '../report-csv.ts';
import type { ReportTab } from '../report-figures.ts';
import { reportFileName } from '../report-labels.ts';
import { mayReadReports } from '../rules.ts';
import { summaryTable } from '../summary-table.ts';

/**
 * A table of a report as a CSV file; `summary` is that of the single figures. That it was exported is recorded.
 * @throws Unauthenticated, Forbidden for everyone but administrators; NotFound for a table that the tab does not have;
 *   TooManyRequests (120 an hour)
 */
export async function exportReportTable(
  ctx: Ctx,
  { tab, table, query }: { tab: ReportTab; table: string; query: ReportQuery },
): Promise<{ name: string; type: string; body: string }> {
  const user = authorizedUser(ctx, mayReadReports);
  await takeTokens(ctx, reportLimits.file, `user:${user.id}`);
  const { figures, tables } = await reportContent(ctx, tab, query);
  const all = figures.length > 0 ? [summaryTable(figures, query), ...tables] : tables;
  const found = all.find(({ id }) => id === table);
  if (!found) throw new NotFound('There is no such table');
  await audit(ctx, {
    action: 'report.export',
    entity: 'report',
    entityId: tab,
    after: { format: 'csv', table, ...query },
  });
  return { name: reportFileName('csv', tab, query, table), type: CSV_TYPE, body: reportCsv(found) };
}
