import { type RawBuilder, sql } from 'kysely';
import { COUNT_LIMIT } from '#platform/counts.ts';
import { DEAD_LETTERS } from '#platform/jobs/enqueue.ts';
import type { TaskKind } from './model.ts';
import { APPROVAL_WAIT_MS, PAYOUT_WAIT_MS, SCAN_WAIT_MS } from './rules.ts';

/** Tasks that are there exactly as long as something is the case. */
export interface Cause {
  kind: TaskKind;
  /** how the task is closed once it is no longer the case */
  resolution: string;
  /** SQL: one row for each subject of which it is the case, with `subject_id`, `detail` (text) and `due_at` */
  subjects: (now: Date) => RawBuilder<unknown>;
}

/** Listings that have waited for an administrator since before a time; one more than are counted. */
const waitingSince = (before: Date) => sql`
  select p.id, p.created_at as since from properties p
    where p.status = 'pending' and p.deleted_at is null and p.created_at < ${before}
      and not exists (select from property_changes c where c.property_id = p.id and c.field = 'status'
        and c.new_value = 'pending' and c.created_at >= ${before})
  union all
  select p.id, p.changed_since_approval_at from properties p
    where p.status = 'Active' and p.deleted_at is null and p.changed_since_approval_at < ${before}
  limit ${COUNT_LIMIT + 1}`;

/** Open invitations that bounced or whose email was given up. */
const bounced = sql`
  select i.agent_id, i.created_at from agent_invitations i where i.status = 'bounced' and i.used_at is null
  union
  select i.agent_id, i.created_at from mail_outbox m
    join agent_invitations i on i.used_at is null
      and i.id = (case when m.idempotency_key ~ '^seller.invite:[0-9a-f-]{36}$' then substr(m.idempotency_key, 15) end)::uuid
    where m.status = 'dead'`;

/** SQL: since when the payout `p` is under way, as a date of UTC. */
const payoutSince = sql`to_char(p.created_at at time zone 'utc', 'Mon FMDD, YYYY')`;

export const causes: readonly Cause[] = [
  {
    kind: 'approvals_waiting',
    resolution: 'The listings were decided',
    subjects: (now) => sql`
      select 'pending approval' as subject_id, null::timestamptz as due_at,
        case when count(*) > ${COUNT_LIMIT} then '10,000+ listings wait.'
          when count(*) = 1 then '1 listing waits.' else count(*) || ' listings wait.' end as detail
      from (${waitingSince(new Date(now.getTime() - APPROVAL_WAIT_MS))}) waiting having count(*) > 0`,
  },
  {
    kind: 'documents_held',
    resolution: 'The documents were scanned',
    subjects: (now) => sql`
      select 'malware' as subject_id, null::timestamptz as due_at,
        case when count(*) > ${COUNT_LIMIT} then '10,000+ documents wait' when count(*) = 1 then '1 document waits'
          else count(*) || ' documents wait' end || ' and cannot be opened.' as detail
      from (select from document_registry d where d.scan = 'held' and d.erased_at is null
          and d.created_at < ${new Date(now.getTime() - SCAN_WAIT_MS)} limit ${COUNT_LIMIT + 1}) held having count(*) > 0`,
  },
  {
    kind: 'conversation_reported',
    resolution: 'The report was decided',
    subjects: () => sql`
      select r.inquiry_id::text as subject_id, null::timestamptz as due_at,
        string_agg(r.reason, E'\\n\\n' order by r.created_at desc, r.id) as detail
      from inquiry_reports r where r.resolved_at is null group by r.inquiry_id`,
  },
  {
    kind: 'payout_failed',
    resolution: 'The payout was sent again',
    subjects: () => sql`
      select s.id::text as subject_id, null::timestamptz as due_at, coalesce((select p.failure_reason from payouts p
          where p.sale_id = s.id and p.status = 'failed' order by p.created_at desc limit 1), '') as detail
      from property_sales s where s.payout_status = 'failed'`,
  },
  {
    kind: 'payout_overdue',
    resolution: 'The payout has arrived or failed',
    subjects: (now) => sql`
      select p.sale_id::text as subject_id, null::timestamptz as due_at, case
          when p.provider is not null then 'Sent through ' || case p.method when 'paypal' then 'PayPal' else 'Stripe' end
            || ' on ' || ${payoutSince} || ', and has not arrived.'
          when p.bank_reference is null then 'To be paid by hand since ' || ${payoutSince} || ', and has no bank reference.'
          else 'Paid by hand, started on ' || ${payoutSince} || ', and not confirmed by a second administrator.' end as detail
      from payouts p where p.status = 'processing' and p.created_at < ${new Date(now.getTime() - PAYOUT_WAIT_MS)}`,
  },
  {
    kind: 'invitation_bounced',
    resolution: 'The seller was invited again or registered',
    subjects: () => sql`
      select a.id::text as subject_id, null::timestamptz as due_at, 'The email with the invitation came back.' as detail
      from (select distinct agent_id from (${bounced}) b where not exists (select from agent_invitations later
          where later.agent_id = b.agent_id and later.purpose = 'invitation' and later.created_at > b.created_at and later.status <> 'bounced')) b
        join agents a on a.id = b.agent_id
      where not a.is_registered and a.archived_at is null`,
  },
  {
    kind: 'jobs_dead',
    resolution: 'The jobs were run again or dropped',
    subjects: () => sql`
      select coalesce(j.source_name, 'unknown') as subject_id, null::timestamptz as due_at,
        case when count(*) = 1 then '1 job' else count(*) || ' jobs' end || ' failed for good. '
          || coalesce((array_agg(j.source_output ->> 'message' order by j.created_on desc))[1], '') as detail
      from pgboss.job j where j.name = ${DEAD_LETTERS} and j.state < 'active' group by j.source_name`,
  },
  {
    kind: 'ownership_waiting',
    resolution: 'The proof was decided or withdrawn',
    subjects: () => sql`
      select o.property_id::text as subject_id, null::timestamptz as due_at, 'Uploaded by ' || a.name || '.' as detail
      from ownership_proofs o join agents a on a.id = o.agent_id where o.status = 'waiting'`,
  },
  {
    kind: 'mails_dead',
    resolution: 'The emails were sent again or dropped',
    subjects: () => sql`
      select 'outbox' as subject_id, null::timestamptz as due_at,
        case when count(*) > ${COUNT_LIMIT} then '10,000+ emails' when count(*) = 1 then '1 email'
          else count(*) || ' emails' end || ' could not be delivered.' as detail
      from (select from mail_outbox m where m.status = 'dead' limit ${COUNT_LIMIT + 1}) dead having count(*) > 0`,
  },
  {
    kind: 'message_dead',
    resolution: 'The message was processed or dropped',
    subjects: () => sql`
      select e.id::text as subject_id, null::timestamptz as due_at, coalesce(e.last_error, '') as detail
      from provider_events e where e.status = 'dead'`,
  },
];
