import type { EngagementReport, FinancialReport, RegistrationReport, SearchReport } from './model.ts';

/** The reports by the tab of the page that shows them. */
export interface Reports {
  financial: FinancialReport;
  registrations: RegistrationReport;
  searches: SearchReport;
  engagement: EngagementReport;
}
export type ReportTab = keyof Reports;

/** How a number is meant: integer cents, a number of things, a whole percent (0–100), or seconds. */
export type NumberKind = 'money' | 'count' | 'percent' | 'seconds';

/** A number of a report; null where there is none. */
export interface ReportFigure {
  label: string;
  kind: Exclude<NumberKind, 'percent'>;
  value: number | null;
  /** in the same number of days just before; left out for what has no time */
  before?: number | null;
}

type FiguresOf = { [Tab in ReportTab]: (report: Reports[Tab]) => ReportFigure[] };

const compared = <Key extends string>(
  label: string,
  kind: ReportFigure['kind'],
  of: { figures: Record<Key, number | null>; before: Record<Key, number | null> },
  key: Key,
): ReportFigure => ({ label, kind, value: of.figures[key], before: of.before[key] });

/** What stands now. */
const present = (label: string, cents: number): ReportFigure => ({ label, kind: 'money', value: cents });

/** The single numbers of each report, in the order in which they are shown. */
export const reportFigures: FiguresOf = {
  financial: (report) => [
    compared('Total Revenue', 'money', report, 'revenueCents'),
    compared('Total Commissions', 'money', report, 'commissionsCents'),
    compared('Admin Fees', 'money', report, 'adminFeesCents'),
    compared('Service Fees', 'money', report, 'serviceFeesCents'),
    compared('Sales', 'count', report, 'sales'),
    {
      ...compared('Average Transaction', 'money', report, 'averageCents'),
      // An average of nothing is none; there are no sales for nothing.
      before: report.before.averageCents || null,
    },
    present('Pending Payouts', report.pendingPayoutsCents),
    present('Processing Payouts', report.processingPayoutsCents),
  ],
  registrations: ({ total, before }) => [
    { label: 'Buyer Registrations', kind: 'count', value: total, before },
  ],
  searches: () => [],
  engagement: (report) => [
    compared('Views', 'count', report, 'views'),
    compared('Watches', 'count', report, 'watches'),
    compared('Inquiries', 'count', report, 'inquiries'),
    compared('Average Response Time', 'seconds', report, 'replySeconds'),
  ],
};
