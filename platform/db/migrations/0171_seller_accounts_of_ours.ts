import { type Kysely, sql } from 'kysely';

/**
 * Which account of ours opened an account of a seller: no other one can pay it. Where we have paid to it, that is the one that did;
 * else it is written down when the provider is next asked about it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table seller_accounts add column provider_account_id uuid references provider_accounts;
    update seller_accounts s set provider_account_id = (
      select p.provider_account_id from payouts p
      where p.agent_id = s.agent_id and p.provider = s.provider and p.livemode = s.livemode and p.destination = s.ref and p.paid_cents > 0
      order by p.created_at desc limit 1)
    where s.ref is not null;
  `.execute(db);
}
