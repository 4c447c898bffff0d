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
  /** there was none then, although it is written as 0 */
  noneBefore?: boolean;
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

function moneyFigures(report: FinancialReport): ReportFigure[] {
  const noneBefore = !report.countedBefore;
  return [
    { ...compared('Total Revenue', 'money', report, 'revenueCents'), noneBefore },
    { ...compared('Total Commissions', 'money', report, 'commissionsCents'), noneBefore },
    { ...compared('Admin Fees', 'money', report, 'adminFeesCents'), noneBefore },
    { ...compared('Service Fees', 'money', report, 'serviceFeesCents'), noneBefore },
    compared('Sales', 'count', report, 'sales'),
    // An average of nothing is none; there are no sales for nothing.
    {
      ...compared('Average Transaction', 'money', report, 'averageCents'),
      noneBefore: report.before.averageCents === 0,
    },
  ];
}

/** The single numbers of each report, in the order in which they are shown. */
export const reportFigures: FiguresOf = {
  financial: (report) => [
    ...moneyFigures(report),
    {
      ...present('Pending Payouts', report.pendingPayoutsCents),
      before: report.pendingBeforeCents,
      noneBefore: report.pendingBeforeCents === 0,
    },
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
