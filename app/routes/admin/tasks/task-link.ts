import type { Task } from '#features/tasks/model.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { ifThere } from '../frame.tsx';

interface TaskLink {
  label: string;
  href: string;
}

/** Where the cause of a task is dealt with; null while there is no such page. */
export function solvedAt({ kind, subjectType, subjectId }: Task): TaskLink | null {
  const link = targets[subjectType]?.(subjectId, kind);
  const page = link?.href.replace(/\?.*$/, '').replace(/\/[^/]+\/edit$/, '');
  return link && page && ifThere(page) ? link : null;
}

const targets: Partial<Record<Task['subjectType'], (id: string, kind: Task['kind']) => TaskLink>> = {
  review_queue: () => ({ label: 'Open Pending Approval', href: adminPaths.properties({ tab: 'pending' }) }),
  scanner: () => ({ label: 'Open Operations', href: adminPaths.operations() }),
  inquiry: (id) => ({
    label: 'Open the conversation',
    href: adminPaths.inquiries({ tab: 'reported', messages: id }),
  }),
  agent: (id) => ({ label: 'Open the seller', href: adminPaths.sellers({ details: id }) }),
  job: (id) => ({ label: 'Open the failed jobs', href: adminPaths.operations({ tab: 'jobs', q: id }) }),
  mail_outbox: () => ({
    label: 'Open the undelivered emails',
    href: adminPaths.operations({ tab: 'emails' }),
  }),
  provider_event: (id) => ({
    label: 'Open the message',
    href: adminPaths.operations({ tab: 'messages', q: id }),
  }),
  payout_run: (id) => ({ label: 'Open the payouts', href: adminPaths.dashboard({ run: id }) }),
  property: (id, kind) =>
    kind === 'listing_reported'
      ? { label: 'Open the listing', href: adminPaths.editProperty(id) }
      : { label: 'Open the proof', href: adminPaths.ownership({ property: id }) },
  payout_schedule: () => ({ label: 'Open the payouts', href: adminPaths.dashboard() }),
  audit_log: () => ({ label: 'Open the history', href: adminPaths.history() }),
  break: (id) => ({ label: 'Open the difference', href: adminPaths.reconciliation({ details: id }) }),
  provider_account: (_, kind) =>
    kind === 'treasury_short'
      ? { label: 'Open the balances', href: adminPaths.reconciliation({ tab: 'balances' }) }
      : { label: 'Open the runs', href: adminPaths.reconciliation({ tab: 'runs' }) },
  sale: (id) => ({
    label: 'Open the sale',
    href: adminPaths.transactions({ sale: id }),
  }),
};
