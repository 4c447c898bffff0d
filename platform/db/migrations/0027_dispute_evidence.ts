import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Our answers to disputes, and the task about one that the provider did not accept. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table dispute_evidence (
      id uuid primary key default gen_random_uuid(),
      dispute_id uuid not null references disputes,
      -- An inquiry that becomes a chargeback is answered once more.
      dispute_kind text not null check (dispute_kind in ('inquiry', 'chargeback')),
      state text not null check (state in ('pending', 'submitted', 'refused', 'conceded')),
      -- As sent: every repetition sends the same.
      texts jsonb not null default '{}',
      -- Why the dispute is conceded, or what the provider said when it refused the evidence.
      reason text check (length(reason) <= 2000),
      -- Null: by itself, before the deadline.
      requested_by uuid references users,
      created_at timestamptz not null default now(),
      submitted_at timestamptz,
      unique (dispute_id, dispute_kind),
      check ((state = 'submitted') = (submitted_at is not null))
    );
    create index dispute_evidence_pending on dispute_evidence (created_at) where state = 'pending';
    create index disputes_evidence_due on disputes (evidence_due_at) where status = 'open' and evidence_due_at is not null;

    alter table admin_tasks
      drop constraint admin_tasks_kind_check,
      add constraint admin_tasks_kind_check check (kind in ('payment_mismatch', 'payment_too_late', 'problem_reported',
        'dispute_opened', 'dispute_lost', 'evidence_refused', 'refund_failed', 'refund_returned', 'refund_overdue', 'message_dead',
        'documents_overdue', 'problem_overdue', 'automatic_payouts', 'audit_broken', 'break_found', 'reconciliation_overdue'));
  `.execute(db);
}
