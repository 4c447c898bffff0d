import { type Kysely, sql } from 'kysely';

/**
 * What the reports have said of a past month stays when an account is erased: watches that go with it stay counted, without saying whose
 * they were. A watch that a person takes back was none, as before.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function report_watches() returns trigger language plpgsql as $$
    begin
      insert into report_events (metric, at, value, property_id)
        select 'watches', created_at, case tg_op when 'INSERT' then 1 else -1 end, property_id from changed
        where tg_op = 'INSERT' or not exists (select from users u where u.id = changed.user_id and u.closed_at is not null);
      return null;
    end $$;
  `.execute(db);
}
