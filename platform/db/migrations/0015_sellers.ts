import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/**
 * Additions for the seller's area: the payout provider's status of a connected account, and indexes for a seller's sales.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- A connected account may not yet receive money: '✓ Connected' requires active transfers, else the reason is shown.
    alter table agents
      add column stripe_transfers_active boolean not null default false,
      add column stripe_requirement text check (length(stripe_requirement) <= 500),
      add check (stripe_account_id is not null or not stripe_transfers_active) not valid;
    -- Until now an account was only stored once it could receive money.
    update agents set stripe_transfers_active = true where stripe_account_id is not null and payout_status = 'complete';

    -- By the date of payment, or of creation while unpaid.
    create index property_sales_agent_date on property_sales (agent_id, coalesce(sale_date, created_at) desc, id desc);
    create index property_sales_agent_payout on property_sales (agent_id, payout_status) include (agent_commission_cents)
      where payout_status is not null;
    create index payouts_processing on payouts (agent_id) where status = 'processing';
  `.execute(db);
}
