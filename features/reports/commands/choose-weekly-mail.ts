import { sql } from 'kysely';
import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { mayReadReports } from '../rules.ts';

/**
 * Turns the weekly report by email on or off for the administrator; the first one comes on the next Monday.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function chooseWeeklyMail(ctx: Ctx, { wanted }: { wanted: boolean }): Promise<void> {
  const user = authorizedUser(ctx, mayReadReports);
  await ctx.db.tx(async () => {
    const { rows } = await sql`
      insert into notification_preferences as n (user_id, mail_weekly_report, weekly_report_week, updated_at)
      select ${user.id}::uuid, ${wanted}::boolean, weekly_report_week(${user.id}, ${ctx.now()}::timestamptz), ${ctx.now()}::timestamptz
      where ${wanted} or exists (select from notification_preferences where user_id = ${user.id})
      on conflict (user_id) do update set mail_weekly_report = excluded.mail_weekly_report,
        weekly_report_week = greatest(n.weekly_report_week, excluded.weekly_report_week), updated_at = excluded.updated_at
      where n.mail_weekly_report <> excluded.mail_weekly_report
      returning n.user_id`.execute(ctx.db.q());
    if (rows.length === 0) return;
    await audit(ctx, {
      action: 'preferences.weekly_report',
      entity: 'user',
      entityId: user.id,
      before: { weeklyReport: !wanted },
      after: { weeklyReport: wanted },
    });
  });
}
