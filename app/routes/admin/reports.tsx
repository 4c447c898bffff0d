import { setTimeout as pause } from 'node:timers/promises';
import { Suspense } from 'react';
import { Await, data } from 'react-router';
import { preserveInput, textFields } from '#app/actions/preserve-input.ts';
import { pageMeta } from '#app/page-meta.ts';
import { readOr, readOrNull } from '#app/read-or.ts';
import { getCtx } from '#app/request.ts';
import { notificationPreferences } from '#features/notifications/reads.ts';
import { DEFAULT_PREFERENCES } from '#features/notifications/rules.ts';
import { ReportHead } from '#features/reports/components/report-head.tsx';
import { FailedReport, ReportSkeleton } from '#features/reports/components/report-outline.tsx';
import { ReportTabContent } from '#features/reports/components/report-tab.tsx';
import { WeeklyMailSwitch } from '#features/reports/components/weekly-mail-switch.tsx';
import { reportTabs, reportViewFrom, tabLabels, todayIn, viewParams } from '#features/reports/range.ts';
import { weeklyMailChoice } from '#features/reports/reads.ts';
import { weeklyMailMessages, zoneText } from '#features/reports/report-labels.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { Tabs } from '#ui/tabs.tsx';
import type { Route } from './+types/reports';
import { loadReport } from './reports/load-report.ts';
import { handleReportForm } from './reports/report-actions.ts';

/** When reading takes longer than this, in milliseconds, the page is sent with a skeleton of the report first. */
const INLINE_WAIT_MS = 150;

export async function loader({ url, context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  const [{ timeZone }, weeklyMail] = await Promise.all([
    readOr(ctx, DEFAULT_PREFERENCES, () => notificationPreferences(ctx)),
    readOrNull(ctx, () => weeklyMailChoice(ctx)),
  ]);
  const now = ctx.now();
  const view = reportViewFrom(url.searchParams, { now, zone: timeZone });
  const today = todayIn(view.query.zone, now);
  const reading = loadReport(ctx, view);
  // Without scripts nothing can come later.
  const read = await (view.tables ? reading : Promise.race([reading, pause(INLINE_WAIT_MS, null)]));
  if (!read) return data({ view, today, weeklyMail, shown: reading });
  return data({ view, today, weeklyMail, shown: read }, read.report === null ? { status: 503 } : undefined);
}

export const action = (args: Route.ActionArgs) => handleReportForm(args);

export const clientAction = (args: Route.ClientActionArgs) =>
  preserveInput(args, {
    inputOf: textFields(),
    toast: { title: 'Error', text: weeklyMailMessages.failed },
    refusalsLeave: true,
  });

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Reports and Analytics', hidden: true });

/** What the marketplace earned, and what people do there. */
export default function ReportsPage({
  loaderData: { view, today, weeklyMail, shown },
}: Route.ComponentProps) {
  const here = viewParams(view);
  return (
    <div className="reports">
      {!view.tables && (
        <noscript>
          <meta httpEquiv="refresh" content={`0;url=${adminPaths.reports({ ...here, as: 'tables' })}`} />
        </noscript>
      )}
      <ReportHead view={view} today={today} />
      <Tabs
        label="Reports"
        current={view.tab}
        tabs={reportTabs.map((id) => ({
          id,
          label: tabLabels[id],
          href: adminPaths.reports(viewParams(view, { tab: id })),
        }))}
      >
        <Suspense key={JSON.stringify(view)} fallback={<ReportSkeleton tab={view.tab} />}>
          <Await resolve={shown} errorElement={<FailedReport tab={view.tab} />}>
            {(report) => <ReportTabContent shown={report} view={view} />}
          </Await>
        </Suspense>
        <p className="report-foot">
          Days are those of {zoneText(view.query.zone)}. Refunds count on the day they settle.
        </p>
        {weeklyMail && <WeeklyMailSwitch choice={weeklyMail} />}
      </Tabs>
    </div>
  );
}
