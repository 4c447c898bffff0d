import { type Kysely, sql } from 'kysely';

/** What our account with a provider may be paid with, as the provider last said; null where it did not say. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table provider_capabilities (
      provider text not null,
      livemode boolean not null,
      account_ref text not null,
      bank_debits boolean,
      bank_transfers boolean,
      checked_at timestamptz not null,
      primary key (provider, livemode, account_ref)
    );
    create trigger provider_capabilities_announce after insert or update or delete on provider_capabilities
      for each statement execute function announce_change();
  `.execute(db);
}
