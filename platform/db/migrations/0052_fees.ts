import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Fees that sales used are archived; the commission can change at a later date; the runs of the payout schedule. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table service_fees add column archived_at timestamptz,
      add constraint service_fees_archived check (archived_at is null or not is_active);
    -- The name of an archived fee can be used again.
    drop index service_fees_name_key;
    create unique index service_fees_name_key on service_fees (lower(trim(name))) where archived_at is null;
    create index transaction_fees_service_fee on transaction_fees (service_fee_id);

    alter table commission_settings
      add column effective_from date,
      add column next_percentage numeric(6, 3) check (next_percentage between 0 and 100),
      add column next_from date,
      add constraint commission_settings_next check ((next_percentage is null) = (next_from is null)),
      add constraint commission_settings_order check (next_from > effective_from);

    create table scheduled_payouts (
      -- Each period is paid once at most, whoever begins it.
      period text primary key check (length(period) between 1 and 60),
      due_at timestamptz not null,
      ran_at timestamptz not null,
      -- Null when nobody could be paid.
      run_id uuid,
      sellers_below_minimum integer not null default 0 check (sellers_below_minimum >= 0)
    );
    create index scheduled_payouts_newest on scheduled_payouts (ran_at desc, period);
  `.execute(db);
}
