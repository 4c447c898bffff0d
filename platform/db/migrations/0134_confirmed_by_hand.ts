import { type Kysely, sql } from 'kysely';

/** Payouts by hand that are confirmed are listed for as long as banks return them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index payouts_by_hand on payouts (settled_at)
      where method = 'manual' and status = 'completed' and amount_cents > 0;
  `.execute(db);
}
