import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** When the closing documents of a sale are due, what it was paid with and when it was released, and the tasks about both. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- 'documents_check_at': when the next reminder is due; null once there is nothing to remind of.
    alter table property_sales
      add column documents_due_at timestamptz,
      add column documents_check_at timestamptz,
      add column documents_overdue_at timestamptz,
      add column paid_with text check (paid_with in ('card', 'bank', 'chain')),
      add column released_at timestamptz;

    -- Nobody is overdue on the day on which the deadline is introduced.
    update property_sales set documents_due_at = greatest(now(), sale_date) + interval '14 days'
      where escrow_status = 'in_escrow';
    update property_sales set documents_check_at = documents_due_at - interval '3 days'
      where documents_due_at is not null and documents_delivered_at is null;
    update property_sales s set paid_with = c.paid_by from sandbox_checkouts c
      where c.ref = s.provider_session_id and s.provider like 'sandbox-%' and s.sale_date is not null;
    update property_sales set paid_with = 'chain'
      where payment_method = 'crypto' and paid_with is null and sale_date is not null;
    update property_sales s set released_at = coalesce(
        (select max(e.created_at) from sale_events e
          where e.sale_id = s.id and e.event in ('confirm_closing', 'release', 'auto_release')), s.sale_date)
      where s.escrow_status = 'completed';

    create index property_sales_documents on property_sales (documents_check_at) where documents_check_at is not null;
    create index disputes_problems on disputes (created_at) where status = 'open' and provider_ref is null;

    -- Adds to the kinds that are there, whichever those are.
    do $$
    declare kinds text; types text;
    begin
      select pg_get_constraintdef(oid) into kinds from pg_constraint
        where conrelid = 'admin_tasks'::regclass and conname = 'admin_tasks_kind_check';
      select pg_get_constraintdef(oid) into types from pg_constraint
        where conrelid = 'admin_tasks'::regclass and conname = 'admin_tasks_subject_type_check';
      execute 'alter table admin_tasks drop constraint admin_tasks_kind_check, add constraint admin_tasks_kind_check '
        || replace(kinds, '])', ', ''documents_overdue''::text, ''problem_overdue''::text, ''automatic_payouts''::text])');
      execute 'alter table admin_tasks drop constraint admin_tasks_subject_type_check, add constraint admin_tasks_subject_type_check '
        || replace(types, '])', ', ''provider''::text])');
    end $$;
  `.execute(db);
}
