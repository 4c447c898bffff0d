import { sql } from 'kysely';
import { authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { mayReadReports } from './rules.ts';

/** Whether an administrator gets the weekly report by email, and by which clock. */
export interface WeeklyMailChoice {
  wanted: boolean;
  /** an IANA name */
  zone: string;
}

/**
 * What the administrator has chosen.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function weeklyMailChoice(ctx: Ctx): Promise<WeeklyMailChoice> {
  const user = authorizedUser(ctx, mayReadReports);
  const { rows } = await sql<WeeklyMailChoice>`
    select coalesce((select mail_weekly_report from notification_preferences where user_id = ${user.id}), false) as wanted,
      reader_zone(${user.id}) as zone`.execute(ctx.db.q());
  return rows[0] ?? { wanted: false, zone: 'UTC' };
}
