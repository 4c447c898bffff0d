import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Tasks that wait, have notes and follow what happens; emails that were dropped; and indexes for reading the audit log. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await tasks(db);
  await operations(db);
  await history(db);
}

async function tasks(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table admin_tasks
      -- Until then the task is not on the list; afterwards it is again, without anybody doing anything.
      add column snoozed_until timestamptz;
    create index admin_tasks_open on admin_tasks (created_at, id) where closed_at is null;
    create table admin_task_notes (
      id bigint primary key generated always as identity,
      task_id uuid not null references admin_tasks on delete cascade,
      author_id uuid references users on delete set null,
      text text not null check (length(text) between 1 and 2000),
      created_at timestamptz not null
    );
    create index admin_task_notes_task on admin_task_notes (task_id, id);

    -- Adds to the kinds that there are, whichever these are by now.
    do $$
    declare
      known text;
    begin
      select string_agg(quote_literal(kind[1]), ', ') into known
        from pg_constraint, regexp_matches(pg_get_constraintdef(oid), '''([a-z_]+)''', 'g') kind
        where conrelid = 'admin_tasks'::regclass and conname = 'admin_tasks_kind_check';
      alter table admin_tasks drop constraint admin_tasks_kind_check;
      execute format('alter table admin_tasks add constraint admin_tasks_kind_check check (kind in (%s, ''approvals_waiting'',
        ''conversation_reported'', ''payout_failed'', ''invitation_bounced'', ''jobs_dead'', ''mails_dead''))', known);
      select string_agg(quote_literal(kind[1]), ', ') into known
        from pg_constraint, regexp_matches(pg_get_constraintdef(oid), '''([a-z_]+)''', 'g') kind
        where conrelid = 'admin_tasks'::regclass and conname = 'admin_tasks_subject_type_check';
      alter table admin_tasks drop constraint admin_tasks_subject_type_check;
      execute format('alter table admin_tasks add constraint admin_tasks_subject_type_check check (subject_type in (%s,
        ''review_queue'', ''inquiry'', ''agent'', ''job'', ''mail_outbox''))', known);
    end $$;

    -- Where the causes of tasks are found, every minute.
    create index properties_waiting on properties (created_at) where status = 'pending' and deleted_at is null;
    create index properties_changed on properties (changed_since_approval_at)
      where status = 'Active' and deleted_at is null and changed_since_approval_at is not null;
    create index property_sales_payout_failed on property_sales (id) where payout_status = 'failed';
    create index agent_invitations_bounced on agent_invitations (agent_id) where status = 'bounced' and used_at is null;
  `.execute(db);
}

async function operations(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table mail_outbox drop constraint mail_outbox_status_check;
    alter table mail_outbox add constraint mail_outbox_status_check check (status in ('queued', 'sent', 'dead', 'dropped'));
    create index provider_events_ref on provider_events (ref, id) where ref is not null;
    create index provider_events_payment on provider_events (payment_ref, id) where payment_ref is not null;
    create index provider_events_status on provider_events (status, id);
    create index provider_events_provider on provider_events (provider, id);
  `.execute(db);
}

async function history(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop index audit_log_time;
    create index audit_log_time on audit_log (at, id);
    drop index audit_log_actor;
    create index audit_log_actor on audit_log (actor_id, at, id);
    create index audit_log_action on audit_log (action, at, id);
    create index audit_log_kind on audit_log (entity, at, id);
  `.execute(db);
}
