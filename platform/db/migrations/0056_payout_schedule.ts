import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Payouts and periods of the schedule name runs that exist; a task says which payouts the schedule leaves to administrators. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Nothing has ever deleted a run; a name of one that is not there would say nothing.
    update payouts p set run_id = null
      where run_id is not null and not exists (select from payout_runs r where r.id = p.run_id);
    update scheduled_payouts p set run_id = null
      where run_id is not null and not exists (select from payout_runs r where r.id = p.run_id);
    alter table payouts add constraint payouts_run_id_fkey foreign key (run_id) references payout_runs;
    alter table scheduled_payouts
      add constraint scheduled_payouts_run_id_fkey foreign key (run_id) references payout_runs,
      -- A run belongs to one period.
      add constraint scheduled_payouts_run_id_key unique (run_id);
  `.execute(db);
  await sql`
    -- Adds to the kinds that there are, whichever these are by now.
    do $$
    declare
      known text;
    begin
      select string_agg(quote_literal(kind[1]), ', ') into known
        from pg_constraint, regexp_matches(pg_get_constraintdef(oid), '''([a-z_]+)''', 'g') kind
        where conrelid = 'admin_tasks'::regclass and conname = 'admin_tasks_kind_check';
      alter table admin_tasks drop constraint admin_tasks_kind_check;
      execute format('alter table admin_tasks add constraint admin_tasks_kind_check check (kind in (%s, ''payouts_by_hand''))', known);
      select string_agg(quote_literal(kind[1]), ', ') into known
        from pg_constraint, regexp_matches(pg_get_constraintdef(oid), '''([a-z_]+)''', 'g') kind
        where conrelid = 'admin_tasks'::regclass and conname = 'admin_tasks_subject_type_check';
      alter table admin_tasks drop constraint admin_tasks_subject_type_check;
      execute format('alter table admin_tasks add constraint admin_tasks_subject_type_check check (subject_type in (%s, ''payout_schedule''))',
        known);
    end $$;
  `.execute(db);
}
