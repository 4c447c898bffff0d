import { type Kysely, sql } from 'kysely';

/**
 * Refunds that their provider refuses for ever: administrators withdraw them, or pay them from our own bank account. What is to be
 * paid there has a reference, and is not sent by the provider anymore; another administrator confirms that it was paid.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table refunds
      drop constraint refunds_origin_check,
      -- 'bank': asked for here, and paid from our own bank account.
      add constraint refunds_origin_check check (origin in ('platform', 'provider', 'bank')),
      add column bank_reference text check (length(bank_reference) between 1 and 200),
      add column recorded_by uuid references users on delete set null,
      add column recorded_at timestamptz,
      add column confirmed_by uuid references users on delete set null,
      add column withdrawn_at timestamptz,
      add check (recorded_by is null or confirmed_by is distinct from recorded_by),
      add check (origin <> 'bank' or (bank_reference is not null and status = 'succeeded' and provider_ref is null)),
      add check (withdrawn_at is null or origin = 'platform');
  `.execute(db);
}
