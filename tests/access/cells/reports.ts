import { expect } from 'vitest';
import { countMarket } from '#features/reports/commands/count-market.ts';
import { foldReportEvents } from '#features/reports/commands/fold-events.ts';
import { trimTerms } from '#features/reports/commands/trim-terms.ts';
import type { ReportQuery } from '#features/reports/model.ts';
import {
  engagementReport,
  financialReport,
  registrationReport,
  searchReport,
} from '#features/reports/reads.ts';
import type { Ctx } from '#platform/context.ts';
import { type Cells, operation } from '../support/operation.ts';
import { HEAD, systemOnlyRows } from '../support/table-rows.ts';

const query: ReportQuery = { from: '2026-01-01', to: '2026-12-31', zone: 'UTC', grouping: 'monthly' };

const report = (read: (ctx: Ctx, query: ReportQuery) => Promise<object>) =>
  operation({
    cells: `
      ${HEAD}
      a year  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  allowed
    `,
    act: (ctx) => read(ctx, query),
    mayChange: () => false,
    verify: (found, _, { outcome }) => {
      if (outcome !== 'allowed') expect(JSON.stringify(found) ?? '').not.toContain('trend');
    },
  });

const byJobs = (run: (ctx: Ctx) => Promise<void>) =>
  operation({ cells: systemOnlyRows('what has happened'), act: (ctx) => run(ctx) });

export const cells: Cells = {
  'reads#financialReport': report(financialReport),
  'reads#registrationReport': report(registrationReport),
  'reads#searchReport': report(searchReport),
  'reads#engagementReport': report(engagementReport),
  'commands/fold-events#foldReportEvents': byJobs((ctx) => foldReportEvents(ctx)),
  'commands/count-market#countMarket': byJobs(countMarket),
  'commands/trim-terms#trimTerms': byJobs(trimTerms),
};
