import { sql } from 'kysely';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { tabLabels } from '../range.ts';
import { engagementReport, financialReport, registrationReport } from '../reads.ts';
import { reportFigures } from '../report-figures.ts';
import { maySendWeeklyMails } from '../rules.ts';
import { queueWeeklyMail, weekBefore } from '../weekly-mail.ts';

interface Recipient {
  id: string;
  name: string;
  email: string;
  /** the Monday of the mail */
  monday: string;
  zone: string;
}

/**
 * Mails the report of the last week to every administrator who wants it and for whom it has been Monday, 8 o'clock, since the last
 * one. A missed Monday is made up for by the next run, until the next one comes. Safe to repeat, also in several processes at once.
 * @returns how many mails were queued
 * @throws AggregateError when some could not be written; the others are queued, and the next run tries again
 */
export async function sendWeeklyMails(ctx: Ctx): Promise<number> {
  authorize(ctx, maySendWeeklyMails);
  let sent = 0;
  const failures: unknown[] = [];
  for (const userId of await dueRecipients(ctx)) {
    try {
      sent += Number(await mailWeek(ctx, userId));
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} weekly reports were not mailed`);
  return sent;
}

async function dueRecipients(ctx: Ctx): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    select n.user_id from notification_preferences n where ${isDue(ctx)} order by n.user_id`.execute(
    ctx.db.q(),
  );
  return rows.map(({ user_id }) => user_id);
}

const isDue = (ctx: Ctx) => sql`n.mail_weekly_report
  and n.weekly_report_week < weekly_report_week(n.user_id, ${ctx.now()}::timestamptz)
  and exists (select from profiles p join users u on u.id = p.id
    where p.id = n.user_id and p.role = 'admin' and u.closed_at is null)`;

/** In one transaction with the mark that it was done; whoever comes second finds the mark. */
const mailWeek = (ctx: Ctx, userId: string): Promise<boolean> =>
  ctx.db.tx(async () => {
    const { rows } = await sql<Recipient>`
      update notification_preferences n set weekly_report_week = weekly_report_week(n.user_id, ${ctx.now()}::timestamptz)
      from users u where n.user_id = ${userId} and u.id = n.user_id and ${isDue(ctx)}
      returning u.id, u.name, u.email, to_char(n.weekly_report_week, 'YYYY-MM-DD') as monday,
        reader_zone(n.user_id) as zone`.execute(ctx.db.q());
    const [to] = rows;
    if (!to) return false;
    const week = weekBefore(to.monday, to.zone);
    const groups = [
      {
        title: tabLabels.financial,
        figures: reportFigures.financial(await financialReport(ctx, week)),
      },
      {
        title: tabLabels.registrations,
        figures: reportFigures.registrations(await registrationReport(ctx, week)),
      },
      {
        title: tabLabels.engagement,
        figures: reportFigures.engagement(await engagementReport(ctx, week)),
      },
    ];
    return queueWeeklyMail(ctx, { to, week, groups });
  });
