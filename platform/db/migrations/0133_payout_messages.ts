import { type Kysely, sql } from 'kysely';

/** The messages about the payouts of a sale are found among all of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index provider_events_payout_key on provider_events (payout_key, id) where payout_key is not null;
  `.execute(db);
}
