import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/**
 * What the seller's area needs beside: what the payout provider said of a connected account, and the order in which a
 * seller's sales are shown.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Connected is not yet able to receive: '✓ Connected' needs active transfers, else the reason is shown (B-114).
    alter table agents
      add column stripe_transfers_active boolean not null default false,
      add column stripe_requirement text check (length(stripe_requirement) <= 500),
      add check (stripe_account_id is not null or not stripe_transfers_active) not valid;
    -- Until now an account was only stored once it could receive.
    update agents set stripe_transfers_active = true where stripe_account_id is not null and payout_status = 'complete';

    -- By the day of payment, or of the beginning while there is none (B-088).
    create index property_sales_agent_date on property_sales (agent_id, coalesce(sale_date, created_at) desc, id desc);
    create index property_sales_agent_payout on property_sales (agent_id, payout_status) include (agent_commission_cents)
      where payout_status is not null;
    create index payouts_processing on payouts (agent_id) where status = 'processing';
  `.execute(db);
}
