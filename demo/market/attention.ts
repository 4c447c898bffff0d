import type { Insertable } from 'kysely';
import type { DB } from '#platform/db/schema.gen.ts';
import type { Calendar } from './calendar.ts';
import { idGenerator } from './ids.ts';
import type { SalesRows } from './sales/sales.ts';

/** What administrators find on their list, and what failed in the background. */
export interface Attention {
  tasks: Insertable<DB['admin_tasks']>[];
  notes: Insertable<DB['admin_task_notes']>[];
  mails: Insertable<DB['mail_outbox']>[];
  messages: Insertable<DB['provider_events']>[];
}

/** Tasks in every state, an email that could not be sent, and messages of a provider with every outcome. */
export function attention(sales: SalesRows, adminId: string, calendar: Calendar): Attention {
  const id = idGenerator('attention');
  const held = sales.sales.filter(({ escrow_status }) => escrow_status === 'in_escrow');
  const [first, second, third] = [...held, ...sales.sales];
  const task = (
    kind: Insertable<DB['admin_tasks']>['kind'],
    severity: 'low' | 'high' | 'critical',
    subject: string | undefined,
    daysAgo: number,
    detail: string,
  ) => ({
    id: id(),
    kind,
    severity,
    subject_type: 'sale' as const,
    subject_id: subject ?? '',
    detail,
    created_at: calendar.ago(daysAgo),
    assignee_id: null as string | null,
    snoozed_until: null as Date | null,
    closed_at: null as Date | null,
    closed_by: null as string | null,
    resolution: null as string | null,
  });
  const problem = {
    ...task('problem_overdue', 'critical', first?.id, 2, 'The buyer says that the deed names another lot.'),
    assignee_id: adminId,
  };
  const waiting = {
    ...task('documents_overdue', 'high', second?.id, 3, 'The seller has not delivered the documents.'),
    snoozed_until: calendar.ahead(20),
  };
  const done = {
    ...task('payment_too_late', 'low', third?.id, 9, 'A transfer arrived after the checkout had expired.'),
    closed_at: calendar.ago(8),
    closed_by: adminId,
    resolution: 'The buyer was called; the refund has arrived.',
  };
  const message = (n: number, status: 'processed' | 'ignored' | 'dead', failure: string | null) => ({
    provider: 'sandbox-card',
    event_id: `demo-${n}`,
    event_type: 'checkout.updated',
    payload: '{}',
    status,
    attempts: status === 'dead' ? 10 : 1,
    last_error: failure,
    ref: status === 'processed' ? (first?.provider_session_id ?? null) : null,
    received_at: calendar.ago(n),
    processed_at: status === 'dead' ? null : calendar.ago(n),
  });
  return {
    tasks: [problem, waiting, done],
    notes: [
      {
        task_id: problem.id,
        author_id: adminId,
        text: 'Asked the seller for the corrected deed.',
        created_at: calendar.ago(1),
      },
    ],
    mails: [
      {
        id: id(),
        idempotency_key: 'demo:unsent',
        to_address: 'unreachable@example.test',
        to_name: 'Former address',
        subject: 'Your inquiry was answered',
        text_body: 'Your inquiry was answered.',
        html_body: '<p>Your inquiry was answered.</p>',
        status: 'dead' as const,
        attempts: 81,
        last_error: 'The mail server does not know this address.',
        created_at: calendar.ago(4),
      },
    ],
    messages: [
      message(6, 'processed', null),
      message(5, 'ignored', null),
      message(1, 'dead', 'The paid checkout belongs to no sale.'),
    ],
  };
}
