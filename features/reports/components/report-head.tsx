import './reports.css';
import { Link } from 'react-router';
import { adminPaths } from '#routing/admin-paths.ts';
import { Breadcrumbs } from '#ui/breadcrumbs.tsx';
import { Notice } from '#ui/notice.tsx';
import { AreaHead } from '#ui/page-head.tsx';
import { groupings } from '../model.ts';
import { daysInWords, MAX_YEARS, type ReportView, viewParams } from '../range.ts';
import { groupingLabels } from '../report-labels.ts';
import { RangePicker } from './range-picker.tsx';
import { PrintedView, ReportActions } from './report-actions.tsx';

/** Breadcrumbs, title, range and grouping of the page. */
export function ReportHead({ view, today }: { view: ReportView; today: string }) {
  return (
    <>
      <Breadcrumbs ancestors={[{ href: adminPaths.dashboard(), label: 'Dashboard' }]} current="Reports" />
      <AreaHead
        title="Reports and Analytics"
        actions={
          <>
            <RangePicker view={view} today={today} />
            <GroupingLinks view={view} />
            <ReportActions view={view} />
          </>
        }
      />
      <PrintedView view={view} />
      {view.hint && (
        <div className="report-hint">
          <Notice tone="warn">
            <p>
              {view.hint === 'missing-end'
                ? `Choose both a start and an end. The range is still ${daysInWords(view.query)}.`
                : `A report covers at most ${MAX_YEARS} years, so this one is ${daysInWords(view.query)}.`}
            </p>
          </Notice>
        </div>
      )}
    </>
  );
}

function GroupingLinks({ view }: { view: ReportView }) {
  return (
    <nav className="seg" aria-label="Grouping">
      {groupings.map((grouping) => (
        <Link
          key={grouping}
          to={adminPaths.reports(viewParams(view, { grouping }))}
          aria-current={grouping === view.query.grouping}
          preventScrollReset
        >
          {groupingLabels[grouping]}
        </Link>
      ))}
    </nav>
  );
}
