import { type RawBuilder, sql } from 'kysely';
import { dollarsAndCents } from '#platform/money.ts';
import { detailMark } from './detail-mark.ts';
import type { Task, TaskKind } from './model.ts';
import { taskKinds } from './rules.ts';

/** SQL: the subject of the task `t` as a UUID when it is of this type; else null. */
export const subjectUuid = (type: Task['subjectType']): RawBuilder<string | null> =>
  sql`(case when t.subject_type = ${sql.lit(type)} and t.subject_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
    then t.subject_id end)::uuid`;

/** SQL: what the task `t` is about; the tables are joined to few rows, those of one page. */
export const subjectJoins = sql`
  left join property_sales s on s.id = ${subjectUuid('sale')}
  left join property_inquiries i on i.id = ${subjectUuid('inquiry')}
  left join properties p on p.id = coalesce(s.property_id, i.property_id, ${subjectUuid('property')})
  left join agents a on a.id = ${subjectUuid('agent')}
  left join provider_accounts c on c.id = ${subjectUuid('provider_account')}
  left join users assignee on assignee.id = t.assignee_id
  left join users closer on closer.id = t.closed_by`;

export const taskColumns = sql`t.*, assignee.name as assignee_name, closer.name as closer_name, p.address,
  s.total_cents, a.name as seller_name, c.provider as account_provider`;

export interface TaskRow {
  id: string;
  kind: TaskKind;
  subject_type: Task['subjectType'];
  subject_id: string;
  severity: Task['severity'];
  detail: string;
  due_at: Date | null;
  assignee_id: string | null;
  assignee_name: string | null;
  created_at: Date;
  closed_at: Date | null;
  closer_name: string | null;
  resolution: string | null;
  snoozed_until: Date | null;
  address: string | null;
  total_cents: number | null;
  seller_name: string | null;
  account_provider: string | null;
}

export function taskFrom(row: TaskRow): Task {
  const { id, kind, severity, detail, resolution } = row;
  const { title, closes = null } = taskKinds[kind];
  return {
    id,
    kind,
    title,
    severity,
    subjectType: row.subject_type,
    subjectId: row.subject_id,
    subject: subjectOf(row),
    detail,
    detailMark: detailMark(detail),
    closes,
    dueAt: row.due_at?.toISOString() ?? null,
    assignee: row.assignee_id === null ? null : { id: row.assignee_id, name: row.assignee_name ?? '' },
    createdAt: row.created_at.toISOString(),
    closedAt: row.closed_at?.toISOString() ?? null,
    snoozedUntil: row.snoozed_until?.toISOString() ?? null,
    closedBy: row.closer_name,
    resolution,
  };
}

function subjectOf({ subject_type, subject_id, ...row }: TaskRow): string {
  switch (subject_type) {
    case 'sale':
      return row.address === null
        ? `Sale ${short(subject_id)}`
        : [row.address, ...(row.total_cents === null ? [] : [dollarsAndCents(row.total_cents)])].join(', ');
    case 'inquiry':
      return row.address ?? `Conversation ${short(subject_id)}`;
    case 'agent':
      return row.seller_name ?? `Seller ${short(subject_id)}`;
    case 'provider_account':
      return `${providerName(row.account_provider ?? 'Provider')} account`;
    case 'provider':
      return providerName(subject_id);
    case 'provider_event':
      return `Message ${subject_id}`;
    case 'break':
      return `Difference ${short(subject_id)}`;
    case 'audit_log':
      return 'Audit log';
    case 'ledger':
      return 'Ledger';
    case 'scanner':
      return 'Malware scanner';
    case 'review_queue':
      return 'Pending approval';
    case 'job':
      return subject_id;
    case 'mail_outbox':
      return 'Email outbox';
    case 'payout_run':
      return 'Payouts';
    case 'payout_schedule':
      return 'Payout schedule';
    case 'property':
      return row.address ?? `Property ${short(subject_id)}`;
  }
}

const short = (id: string) => id.slice(0, 8);
const providerName = (provider: string) =>
  `${provider.charAt(0).toUpperCase()}${provider.slice(1)}`.replaceAll('-', ' ');
