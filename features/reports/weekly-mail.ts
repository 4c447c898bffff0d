import { unsubscribeLink } from '#features/notifications/mails.ts';
import { layoutMail } from '#features/settings/mails.ts';
import type { Ctx } from '#platform/context.ts';
import { queueMail } from '#platform/outbox/outbox.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { changeInWords } from './changes.ts';
import type { ReportQuery } from './model.ts';
import { daysInWords } from './range.ts';
import type { ReportFigure } from './report-figures.ts';
import { cellText } from './report-tables.ts';
import { addDays } from './zone-days.ts';

/** The week before a Monday, from Monday to Sunday, day by day. */
export const weekBefore = (monday: string, zone: string): ReportQuery => ({
  from: addDays(monday, -7),
  to: addDays(monday, -1),
  zone,
  grouping: 'daily',
});

/** 'Sales: 12 · +20% against the week before'. */
export function figureLine({ label, kind, value, before, noneBefore = false }: ReportFigure): string {
  const now = `${label}: ${cellText(kind, value)}`;
  return value === null || before === undefined
    ? now
    : `${now} · ${changeInWords({ kind, value, before, noneBefore }, 'the week before')}`;
}

/**
 * Queues the report of a week to an administrator; once for each of them and week.
 * @param groups the figures, in the groups in which they are shown
 * @returns false if it was already queued
 */
export async function queueWeeklyMail(
  ctx: Ctx,
  {
    to,
    week,
    groups,
  }: {
    to: { id: string; name: string; email: string };
    week: ReportQuery;
    groups: readonly { title: string; figures: readonly ReportFigure[] }[];
  },
): Promise<boolean> {
  const unsubscribe = unsubscribeLink(ctx, to.id, 'weekly_report');
  const period = daysInWords(week);
  return queueMail(ctx, {
    idempotencyKey: `weekly-report:${to.id}:${week.from}`,
    to: { address: to.email, name: to.name },
    subject: `Weekly report: ${period}`,
    unsubscribeUrl: unsubscribe.url,
    ...(await layoutMail(ctx, {
      heading: `The week of ${period}`,
      paragraphs: groups.map(({ title, figures }) => [title, ...figures.map(figureLine)].join('\n')),
      button: { label: 'Open the reports', url: ctx.config.publicUrl + adminPaths.reports({ ...week }) },
      footer: 'You are receiving this email because you asked for the weekly report.',
      footerLink: unsubscribe,
    })),
  });
}
