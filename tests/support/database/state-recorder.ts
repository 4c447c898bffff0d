import { sql } from 'kysely';
import { stateKinds } from '#features/audit/states.ts';
import type { Database } from '#platform/db/database.ts';

/** The columns whose change is a change of state, by table. */
const STATE_COLUMNS: Record<string, { entity: string; key: string; columns: string[] }> = {
  property_sales: {
    entity: 'property_sale',
    key: 'id',
    columns: ['stripe_payment_status', 'escrow_status', 'payout_status'],
  },
  properties: { entity: 'property', key: 'id', columns: ['status', 'deleted_at'] },
  agents: {
    entity: 'agent',
    key: 'id',
    columns: [
      'status',
      'registered_at',
      'archived_at',
      'commission_rate',
      'preferred_payout_method',
      'stripe_account_id',
      'paypal_email',
      'paypal_confirmed_at',
      'payout_status',
    ],
  },
  commission_settings: {
    entity: 'commission_setting',
    key: 'id',
    columns: ['admin_percentage', 'effective_from', 'next_percentage', 'next_from'],
  },
  platform_settings: { entity: 'platform_setting', key: 'setting_name', columns: ['setting_value'] },
  service_fees: {
    entity: 'service_fee',
    key: 'id',
    columns: [
      'name',
      'fee_type',
      'fixed_cents',
      'percent',
      'applies_to',
      'is_active',
      'archived_at',
      'position',
    ],
  },
};

/** Makes a test database record every change of a state, whoever makes it, and every audit row, with their transactions. */
export async function recordStateChanges(db: Database): Promise<void> {
  await db.pool.query(`
    create table recorded_changes (xid xid8 not null default pg_current_xact_id(), entity text not null, id text not null);
    create table recorded_audits (xid xid8 not null default pg_current_xact_id(), audit_id bigint not null);
    create function record_change() returns trigger language plpgsql as $$
    declare
      of_column text;
      new_row jsonb := case tg_op when 'DELETE' then '{}' else to_jsonb(new) end;
      old_row jsonb := case tg_op when 'INSERT' then '{}' else to_jsonb(old) end;
    begin
      foreach of_column in array string_to_array(tg_argv[2], ',') loop
        if nullif(new_row -> of_column, 'null') is distinct from nullif(old_row -> of_column, 'null') then
          insert into recorded_changes (entity, id) values (tg_argv[0], coalesce(new_row ->> tg_argv[1], old_row ->> tg_argv[1]));
          return null;
        end if;
      end loop;
      return null;
    end $$;
    create function record_audit() returns trigger language plpgsql as $$
    begin insert into recorded_audits (audit_id) values (new.id); return null; end $$;
    create trigger record_audit after insert on audit_log for each row execute function record_audit();
    ${Object.entries(STATE_COLUMNS)
      .map(
        ([
          table,
          { entity, key, columns },
        ]) => `create trigger record_change after insert or update or delete on ${table}
          for each row execute function record_change('${entity}', '${key}', '${columns.join(',')}');`,
      )
      .join('\n')}`);
}

/** Things whose state changed in a transaction another number of times than audit rows say so; empty when all agree. */
export async function unauditedChanges(db: Database): Promise<string[]> {
  const fields = Object.fromEntries(stateKinds.map((kind) => [kind.entity, Object.keys(kind.fields)]));
  const initial = Object.fromEntries(stateKinds.map((kind) => [kind.entity, kind.initial]));
  const { rows } = await sql<{ line: string }>`
    with changes as (select xid, entity, id, count(*) as n from recorded_changes group by xid, entity, id),
      audits as (
        select xid, entity, entity_id as id, count(*) as n, string_agg(action, ', ') as actions
        from recorded_audits join audit_log a on a.id = audit_id
        where exists (select from jsonb_array_elements_text(${JSON.stringify(fields)}::jsonb -> entity) field
          where nullif(before -> field, 'null') is distinct from nullif(
            (coalesce(${JSON.stringify(initial)}::jsonb -> entity -> action, '{}') || coalesce(after, '{}')) -> field, 'null'))
        group by xid, entity, entity_id)
    select concat_ws(' ', entity, id, 'changed', coalesce(c.n, 0), 'times, audited', coalesce(a.n, 0), a.actions) as line
    from changes c full join audits a using (xid, entity, id) where c.n is distinct from a.n order by 1`.execute(
    db.q(),
  );
  return rows.map(({ line }) => line);
}
