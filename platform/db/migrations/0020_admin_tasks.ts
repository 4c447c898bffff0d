import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** What administrators have to look at. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table admin_tasks (
      id uuid primary key default gen_random_uuid(),
      kind text not null check (kind in ('payment_mismatch', 'payment_too_late', 'problem_reported', 'dispute_opened',
        'dispute_lost', 'refund_failed', 'refund_returned', 'refund_overdue', 'message_dead')),
      -- What it is about; not a reference, so that a task outlives a deleted subject.
      subject_type text not null check (subject_type in ('sale', 'provider_event')),
      subject_id text not null,
      severity text not null check (severity in ('low', 'high', 'critical')),
      detail text not null default '' check (length(detail) <= 2000),
      due_at timestamptz,
      assignee_id uuid references users on delete set null,
      created_at timestamptz not null default now(),
      closed_at timestamptz,
      -- Null while open, and when an event closed it.
      closed_by uuid references users on delete set null,
      resolution text check (length(resolution) between 1 and 2000),
      check ((closed_at is null) = (resolution is null))
    );
    -- The same thing happening again does not make a second task.
    create unique index admin_tasks_one_open on admin_tasks (kind, subject_id) where closed_at is null;
    create index admin_tasks_subject on admin_tasks (subject_type, subject_id);
    create index admin_tasks_closed on admin_tasks (closed_at desc, id) where closed_at is not null;
  `.execute(db);
}
