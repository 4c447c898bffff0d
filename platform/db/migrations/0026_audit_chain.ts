import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** The hash chain over the audit log, and a row with the present state of everything that the audit log must explain. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table audit_chain (
      position bigint primary key check (position > 0),
      -- Not a reference: the check has to find a chained row that is gone.
      audit_id bigint not null unique,
      hash bytea not null check (length(hash) = 32),
      chained_at timestamptz not null
    );
    create trigger audit_chain_fixed before update or delete on audit_chain for each row execute function forbid_change();
    create trigger audit_chain_kept before truncate on audit_chain execute function forbid_truncate();

    -- Adds to the kinds that there are, whichever these are by now.
    do $$
    declare
      known text;
    begin
      select string_agg(quote_literal(kind[1]), ', ') into known
        from pg_constraint, regexp_matches(pg_get_constraintdef(oid), '''([a-z_]+)''', 'g') kind
        where conrelid = 'admin_tasks'::regclass and conname = 'admin_tasks_kind_check';
      alter table admin_tasks drop constraint admin_tasks_kind_check;
      execute format('alter table admin_tasks add constraint admin_tasks_kind_check check (kind in (%s, ''audit_broken''))', known);
      select string_agg(quote_literal(kind[1]), ', ') into known
        from pg_constraint, regexp_matches(pg_get_constraintdef(oid), '''([a-z_]+)''', 'g') kind
        where conrelid = 'admin_tasks'::regclass and conname = 'admin_tasks_subject_type_check';
      alter table admin_tasks drop constraint admin_tasks_subject_type_check;
      execute format('alter table admin_tasks add constraint admin_tasks_subject_type_check check (subject_type in (%s, ''audit_log''))',
        known);
    end $$;

    -- From here on the audit rows of a sale, listing, seller or setting must lead to its present state without a break.
    lock table property_sales, properties, agents, commission_settings, platform_settings, service_fees in share mode;
    insert into audit_log (actor_role, action, entity, entity_id, after, request_id)
    select 'system:migration', 'state.baseline', found.entity, found.id, found.state, 'migration 0026' from (
      select 'property_sale' as entity, s.id::text as id, jsonb_build_object('payment', stripe_payment_status,
          'escrow', escrow_status, 'payout', payout_status,
          'history', (select max(e.id) from sale_events e where e.sale_id = s.id)) as state
        from property_sales s
      union all
      select 'property', p.id::text, jsonb_build_object('status', status, 'deleted', nullif(deleted_at is not null, false),
          'history', (select max(c.id) from property_changes c where c.property_id = p.id))
        from properties p
      union all
      select 'agent', id::text, jsonb_build_object('status', status, 'registered', nullif(is_registered, false),
          'archived', nullif(archived_at is not null, false), 'commissionRate', commission_rate,
          'payoutMethod', preferred_payout_method, 'stripeAccount', stripe_account_id, 'paypalEmail', paypal_email,
          'paypalConfirmed', nullif(paypal_confirmed_at is not null, false), 'payoutStatus', nullif(payout_status, 'pending'))
        from agents
      union all
      select 'commission_setting', id::text, jsonb_build_object('adminPercentage', admin_percentage) from commission_settings
      union all
      select 'platform_setting', setting_name, jsonb_build_object('value', setting_value) from platform_settings
      union all
      select 'service_fee', id::text, jsonb_build_object('name', name, 'type', fee_type, 'fixedCents', fixed_cents,
          'percent', percent, 'appliesTo', applies_to, 'active', is_active, 'position', position)
        from service_fees) found;
  `.execute(db);
}
