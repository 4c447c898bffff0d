import { hasRole, nobody } from '#platform/access.ts';
import { DAY, HOUR } from '#platform/durations.ts';
import type { TaskKind, TaskRefusal, TaskSeverity, TaskSubjectType } from './model.ts';

/** Tasks are opened, and closed by events, as part of the operations that they come from. */
export const mayOpenTasks = nobody;
export const mayManageTasks = hasRole('admin');

/** Longest explanation of a task or of its resolution, in characters. */
export const TASK_TEXT_MAX_LENGTH = 2000;

/** How long a task can be snoozed, in milliseconds. */
export const SNOOZE_MAX_MS = 90 * DAY;
/** How long a listing may wait for its approval before there is a task. */
export const APPROVAL_WAIT_MS = 2 * DAY;
/** How long a document may wait for the malware scanner, which is asked every five minutes, before there is a task. */
export const SCAN_WAIT_MS = HOUR;
/** How long a payout may be on its way, or wait to be made by hand, before there is a task. */
export const PAYOUT_WAIT_MS = 3 * DAY;

interface KindOfTask {
  /** what happened */
  title: string;
  /** in lists and filters */
  label: string;
  severity: TaskSeverity;
  subjectType: TaskSubjectType;
  /** why nobody closes it: when it closes */
  closes?: string;
  /** of one that closes with its cause: what its explanation says anew was written by somebody, and not counted again */
  isNews?: true;
}

export const taskKinds: Record<TaskKind, KindOfTask> = {
  payment_mismatch: {
    title: 'A payment differs from the amount due',
    label: 'Different amount',
    severity: 'critical',
    subjectType: 'sale',
  },
  payment_too_late: {
    title: 'A payment arrived too late and is being refunded',
    label: 'Late payment',
    severity: 'low',
    subjectType: 'sale',
  },
  problem_reported: {
    title: 'A problem was reported',
    label: 'Reported problem',
    severity: 'high',
    subjectType: 'sale',
  },
  dispute_opened: {
    title: 'A payment is disputed',
    label: 'Dispute',
    severity: 'critical',
    subjectType: 'sale',
  },
  dispute_lost: {
    title: 'A dispute was lost',
    label: 'Lost dispute',
    severity: 'critical',
    subjectType: 'sale',
  },
  evidence_refused: {
    title: 'The answer to a dispute was not accepted',
    label: 'Refused evidence',
    severity: 'critical',
    subjectType: 'sale',
  },
  refund_failed: { title: 'A refund failed', label: 'Failed refund', severity: 'high', subjectType: 'sale' },
  refund_returned: {
    title: 'A refund came back from the bank',
    label: 'Returned refund',
    severity: 'high',
    subjectType: 'sale',
  },
  refund_overdue: {
    title: 'A refund has not arrived in time',
    label: 'Overdue refund',
    severity: 'high',
    subjectType: 'sale',
  },
  message_dead: {
    title: 'A message from a payment provider could not be processed',
    label: 'Provider message',
    severity: 'critical',
    subjectType: 'provider_event',
    closes: 'It closes when the message was processed or dropped.',
  },
  audit_broken: {
    title: 'The audit log was tampered with or is incomplete',
    label: 'Audit log',
    severity: 'critical',
    subjectType: 'audit_log',
  },
  ledger_broken: {
    title: 'The books do not balance',
    label: 'Ledger',
    severity: 'critical',
    subjectType: 'ledger',
    closes: 'It closes when a nightly check finds nothing.',
  },
  break_found: {
    title: 'The books and a payment provider differ',
    label: 'Reconciliation',
    severity: 'critical',
    subjectType: 'break',
  },
  reconciliation_overdue: {
    title: 'A provider account has not been reconciled for days',
    label: 'Overdue reconciliation',
    severity: 'high',
    subjectType: 'provider_account',
  },
  documents_removed: {
    title: 'The delivered documents of a sale contained malware',
    label: 'Removed documents',
    severity: 'high',
    subjectType: 'sale',
  },
  documents_held: {
    title: 'Documents have waited for the malware scanner for more than an hour',
    label: 'Held documents',
    severity: 'high',
    subjectType: 'scanner',
    closes: 'It closes when they were scanned.',
  },
  documents_overdue: {
    title: 'A seller has not delivered the documents',
    label: 'Overdue documents',
    severity: 'high',
    subjectType: 'sale',
  },
  problem_overdue: {
    title: 'A reported problem is still open after two weeks',
    label: 'Overdue problem',
    severity: 'critical',
    subjectType: 'sale',
  },
  automatic_payouts: {
    title: 'Held money is paid out to the bank automatically',
    label: 'Automatic payouts',
    severity: 'critical',
    subjectType: 'provider',
  },
  approvals_waiting: {
    title: 'Listings have waited for a decision for more than two days',
    label: 'Waiting approvals',
    severity: 'low',
    subjectType: 'review_queue',
    closes: 'It closes when these listings are decided.',
  },
  conversation_reported: {
    title: 'A conversation was reported',
    label: 'Reported conversation',
    severity: 'high',
    subjectType: 'inquiry',
    closes: 'It closes when the report is decided.',
    isNews: true,
  },
  payout_failed: {
    title: 'A payout failed',
    label: 'Failed payout',
    severity: 'high',
    subjectType: 'sale',
    closes: 'It closes when the payout is sent again.',
  },
  payout_overdue: {
    title: 'A payout has been on its way for days',
    label: 'Overdue payout',
    severity: 'high',
    subjectType: 'sale',
    closes: 'It closes when the payout has arrived or failed.',
  },
  payout_disagrees: {
    title: 'A provider contradicts what is on record about a payout',
    label: 'Contradictory payout',
    severity: 'critical',
    subjectType: 'sale',
  },
  treasury_short: {
    title: 'The balance with a provider does not cover the payouts that are due',
    label: 'Short balance',
    severity: 'critical',
    subjectType: 'provider_account',
    closes: 'It closes when the balance covers them again.',
  },
  invitation_bounced: {
    title: 'The invitation of a seller did not arrive',
    label: 'Bounced invitation',
    severity: 'low',
    subjectType: 'agent',
    closes: 'It closes when the seller is invited again or registers.',
  },
  jobs_dead: {
    title: 'Background jobs failed for good',
    label: 'Failed jobs',
    severity: 'high',
    subjectType: 'job',
    closes: 'It closes when the jobs were run again or dropped.',
  },
  mails_dead: {
    title: 'Emails could not be delivered',
    label: 'Undelivered emails',
    severity: 'high',
    subjectType: 'mail_outbox',
    closes: 'It closes when the emails were sent again or dropped.',
  },
  payout_run_waiting: {
    title: 'Payouts wait for approval',
    label: 'Payouts to approve',
    severity: 'high',
    subjectType: 'payout_run',
    closes: 'It closes when an administrator approves or declines the payouts.',
  },
  scheduled_run_ended: {
    title: 'Payouts of the schedule were not approved',
    label: 'Unapproved payouts',
    severity: 'high',
    subjectType: 'payout_run',
  },
  payouts_by_hand: {
    title: 'Payouts that are due have to be made by hand',
    label: 'Payouts by hand',
    severity: 'high',
    subjectType: 'payout_schedule',
    closes: 'It closes when these payouts are processed.',
  },
  ownership_waiting: {
    title: 'A proof of ownership waits for a decision',
    label: 'Proof of ownership',
    severity: 'low',
    subjectType: 'property',
    closes: 'It closes when the proof is verified, refused or withdrawn.',
  },
  listing_reported: {
    title: 'A listing was reported',
    label: 'Reported listing',
    severity: 'high',
    subjectType: 'property',
  },
};

/** Why an action was refused, in words. */
export const taskRefusals: Record<TaskRefusal, string> = {
  closed: 'This task is closed already.',
  newer: 'There is news about this task. Please read it before you close the task.',
  taken: 'Someone else has taken this task.',
  not_an_administrator: 'Only an administrator can have a task.',
  no_resolution: 'Please say what was done.',
  has_cause: 'This task closes when its cause is gone.',
  no_time: `Please choose a time in the next ${SNOOZE_MAX_MS / DAY} days.`,
  no_note: 'Please write a note.',
};
