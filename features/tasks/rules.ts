import { hasRole, nobody } from '#platform/access.ts';
import type { TaskKind, TaskSeverity, TaskSubjectType } from './model.ts';

/** Tasks are opened, and closed by events, as part of the operations that they come from. */
export const mayOpenTasks = nobody;
export const mayManageTasks = hasRole('admin');

/** Longest explanation of a task or of its resolution, in characters. */
export const TASK_TEXT_MAX_LENGTH = 2000;

export const taskKinds: Record<
  TaskKind,
  { title: string; severity: TaskSeverity; subjectType: TaskSubjectType }
> = {
  payment_mismatch: {
    title: 'A payment differs from the amount due',
    severity: 'critical',
    subjectType: 'sale',
  },
  payment_too_late: {
    title: 'A payment arrived too late and is being refunded',
    severity: 'low',
    subjectType: 'sale',
  },
  problem_reported: { title: 'A problem was reported', severity: 'high', subjectType: 'sale' },
  dispute_opened: { title: 'A payment is disputed', severity: 'critical', subjectType: 'sale' },
  dispute_lost: { title: 'A dispute was lost', severity: 'critical', subjectType: 'sale' },
  evidence_refused: {
    title: 'The answer to a dispute was not accepted',
    severity: 'critical',
    subjectType: 'sale',
  },
  refund_failed: { title: 'A refund failed', severity: 'high', subjectType: 'sale' },
  refund_returned: {
    title: 'A refund came back from the bank',
    severity: 'high',
    subjectType: 'sale',
  },
  refund_overdue: { title: 'A refund has not arrived in time', severity: 'high', subjectType: 'sale' },
  message_dead: {
    title: 'A message from a payment provider could not be processed',
    severity: 'critical',
    subjectType: 'provider_event',
  },
  audit_broken: {
    title: 'The audit log was tampered with or is incomplete',
    severity: 'critical',
    subjectType: 'audit_log',
  },
  break_found: {
    title: 'The books and a payment provider differ',
    severity: 'critical',
    subjectType: 'break',
  },
  reconciliation_overdue: {
    title: 'A provider account has not been reconciled for days',
    severity: 'high',
    subjectType: 'provider_account',
  },
  documents_overdue: {
    title: 'A seller has not delivered the documents',
    severity: 'high',
    subjectType: 'sale',
  },
  problem_overdue: {
    title: 'A reported problem is still open after two weeks',
    severity: 'critical',
    subjectType: 'sale',
  },
  automatic_payouts: {
    title: 'Held money is paid out to the bank automatically',
    severity: 'critical',
    subjectType: 'provider',
  },
};
