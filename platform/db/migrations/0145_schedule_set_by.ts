import { type Kysely, sql } from 'kysely';

/**
 * A run of the payout schedule keeps who had set how often the schedule pays, who may not approve it. Runs that wait already get
 * whoever the audit log names.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table payout_runs
      add column schedule_set_by uuid references users on delete set null,
      add check (schedule_set_by is null or origin = 'schedule');
    update payout_runs r set schedule_set_by = (
      select u.id from (
        select actor_id from audit_log
        where entity = 'platform_setting' and entity_id = 'payout_schedule' and at <= r.requested_at
          and after #>> '{value,frequency}' is distinct from before #>> '{value,frequency}'
        order by id desc limit 1
      ) change join users u on u.id = change.actor_id)
    where r.origin = 'schedule' and r.status = 'awaiting_approval';
  `.execute(db);
}
