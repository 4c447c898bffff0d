import { readOrNull } from '#app/read-or.ts';
import type { ShownReport } from '#features/reports/components/report-tab.tsx';
import type { ReportView } from '#features/reports/range.ts';
import {
  engagementReport,
  financialReport,
  registrationReport,
  searchReport,
} from '#features/reports/reads.ts';
import type { Ctx } from '#platform/context.ts';

/** The report of a tab, and none when it could not be read. */
export async function loadReport(ctx: Ctx, { tab, query }: ReportView): Promise<ShownReport> {
  switch (tab) {
    case 'financial':
      return { tab, report: await readOrNull(ctx, () => financialReport(ctx, query)) };
    case 'registrations':
      return { tab, report: await readOrNull(ctx, () => registrationReport(ctx, query)) };
    case 'searches':
      return { tab, report: await readOrNull(ctx, () => searchReport(ctx, query)) };
    case 'engagement':
      return { tab, report: await readOrNull(ctx, () => engagementReport(ctx, query)) };
  }
}
