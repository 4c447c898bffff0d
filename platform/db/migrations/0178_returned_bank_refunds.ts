import { type Kysely, sql } from 'kysely';

/** A refund that was paid from our bank account can come back there, as one that a provider has carried out. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table refunds
      drop constraint refunds_check2,
      add constraint refunds_bank_check
        check (origin <> 'bank' or (bank_reference is not null and status <> 'pending' and provider_ref is null))`.execute(
    db,
  );
}
