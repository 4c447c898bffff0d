import type { Ctx } from '#platform/context.ts';
import type { ReportQuery } from './model.ts';
import { engagementReport, financialReport, registrationReport, searchReport } from './reads.ts';
import { type ReportFigure, type Reports, type ReportTab, reportFigures } from './report-figures.ts';
import { type ReportTable, reportTables } from './report-tables.ts';

type Reads = { [Tab in ReportTab]: (ctx: Ctx, query: ReportQuery) => Promise<Reports[Tab]> };

const reads: Reads = {
  financial: financialReport,
  registrations: registrationReport,
  searches: searchReport,
  engagement: engagementReport,
};

/** What a tab of the reports says. */
interface ReportContent {
  figures: ReportFigure[];
  tables: ReportTable[];
}

/**
 * Reads a report as its figures and tables.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function reportContent<Tab extends ReportTab>(
  ctx: Ctx,
  tab: Tab,
  query: ReportQuery,
): Promise<ReportContent> {
  const report = await reads[tab](ctx, query);
  return { figures: reportFigures[tab](report), tables: reportTables[tab](report) };
}
