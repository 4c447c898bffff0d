import type { ReportView } from '../range.ts';
import type { Reports, ReportTab } from '../report-figures.ts';
import { EngagementTab } from './engagement-tab.tsx';
import { FinancialTab } from './financial-tab.tsx';
import { RegistrationsTab } from './registrations-tab.tsx';
import { FailedReport } from './report-outline.tsx';
import { SearchesTab } from './searches-tab.tsx';

/** What a tab shows: its report, or null when it could not be read. */
export type ShownReport = { [Tab in ReportTab]: { tab: Tab; report: Reports[Tab] | null } }[ReportTab];

/** The report of a tab. */
export function ReportTabContent({ shown, view }: { shown: ShownReport; view: ReportView }) {
  if (shown.report === null) return <FailedReport tab={shown.tab} />;
  switch (shown.tab) {
    case 'financial':
      return <FinancialTab report={shown.report} view={view} />;
    case 'registrations':
      return <RegistrationsTab report={shown.report} view={view} />;
    case 'searches':
      return <SearchesTab report={shown.report} view={view} />;
    case 'engagement':
      return <EngagementTab report={shown.report} view={view} />;
  }
}
