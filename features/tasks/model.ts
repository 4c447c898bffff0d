/** Why an administrator is needed. */
export type TaskKind =
  | 'payment_mismatch'
  | 'payment_too_late'
  | 'problem_reported'
  | 'dispute_opened'
  | 'dispute_lost'
  | 'evidence_refused'
  | 'refund_failed'
  | 'refund_returned'
  | 'refund_overdue'
  | 'message_dead'
  | 'documents_overdue'
  | 'problem_overdue'
  | 'automatic_payouts'
  | 'audit_broken'
  | 'break_found'
  | 'reconciliation_overdue';

/** `critical` and `high` are mailed to every administrator at once; `low` waits on the list. */
export type TaskSeverity = 'low' | 'high' | 'critical';

export type TaskSubjectType =
  | 'sale'
  | 'provider_event'
  | 'provider'
  | 'provider_account'
  | 'audit_log'
  | 'break';

/** A task as administrators see it; times are ISO, UTC. */
export interface Task {
  id: string;
  kind: TaskKind;
  title: string;
  severity: TaskSeverity;
  subjectType: TaskSubjectType;
  subjectId: string;
  detail: string;
  dueAt: string | null;
  assignee: { id: string; name: string } | null;
  createdAt: string;
  /** null while it is open */
  closedAt: string | null;
  /** who closed it; null when an event did */
  closedBy: string | null;
  resolution: string | null;
}

export type TaskActionResult =
  | { ok: true }
  | { ok: false; reason: 'closed' | 'not_an_administrator' | 'no_resolution' };
