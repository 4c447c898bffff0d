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
  | 'documents_removed'
  | 'documents_held'
  | 'problem_overdue'
  | 'automatic_payouts'
  | 'audit_broken'
  | 'ledger_broken'
  | 'break_found'
  | 'reconciliation_overdue'
  | 'approvals_waiting'
  | 'conversation_reported'
  | 'payout_failed'
  | 'payout_overdue'
  | 'payout_disagrees'
  | 'treasury_short'
  | 'invitation_bounced'
  | 'jobs_dead'
  | 'mails_dead'
  | 'payout_run_waiting'
  | 'scheduled_run_ended'
  | 'payouts_by_hand'
  | 'ownership_waiting'
  | 'listing_reported';

/** `critical` and `high` are mailed to every administrator at once; `low` waits on the list. */
export const taskSeverities = ['critical', 'high', 'low'] as const;
export type TaskSeverity = (typeof taskSeverities)[number];

export type TaskSubjectType =
  | 'sale'
  | 'provider_event'
  | 'provider'
  | 'provider_account'
  | 'audit_log'
  | 'ledger'
  | 'break'
  | 'scanner'
  | 'review_queue'
  | 'inquiry'
  | 'agent'
  | 'job'
  | 'mail_outbox'
  | 'payout_run'
  | 'payout_schedule'
  | 'property';

/** A task as administrators see it; times are ISO, UTC. */
export interface Task {
  id: string;
  kind: TaskKind;
  title: string;
  severity: TaskSeverity;
  subjectType: TaskSubjectType;
  subjectId: string;
  /** what it is about, in words: an address, a seller, a job */
  subject: string;
  detail: string;
  /** of this explanation; closing a task by the mark of another one is refused */
  detailMark: string;
  /** when it closes although nobody closes it; null when an administrator does */
  closes: string | null;
  dueAt: string | null;
  assignee: { id: string; name: string } | null;
  createdAt: string;
  /** null while it is open */
  closedAt: string | null;
  /** not before this time it needs attention again; null when it does now */
  snoozedUntil: string | null;
  /** who closed it; null when an event did */
  closedBy: string | null;
  resolution: string | null;
}

/** What an administrator wrote about a task; times are ISO, UTC. */
export interface TaskNote {
  id: number;
  author: string;
  /** whether the reader wrote it */
  isOwn: boolean;
  text: string;
  at: string;
}

/** `waiting`: snoozed */
export const taskStates = ['open', 'waiting', 'closed'] as const;
export type TaskState = (typeof taskStates)[number];

export const taskSorts = ['age', 'kind', 'severity', 'assignee', 'due'] as const;
export type TaskSort = (typeof taskSorts)[number];

/** Why an action on a task was refused. `newer`: its explanation is not the one that was shown. `by` is who was faster. */
export type TaskRefusal =
  | 'closed'
  | 'newer'
  | 'taken'
  | 'not_an_administrator'
  | 'no_resolution'
  | 'has_cause'
  | 'no_time'
  | 'no_note';

export type TaskActionResult = { ok: true } | { ok: false; reason: TaskRefusal; by?: string | null };
