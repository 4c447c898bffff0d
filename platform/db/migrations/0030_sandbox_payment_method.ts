import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** One word a thing: the sandbox's tables call the payment method what everything else calls it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['sandbox_checkouts', 'sandbox_deliveries', 'sandbox_keys', 'sandbox_transactions'])
    await sql`alter table ${sql.table(table)} rename column rail to method`.execute(db);
}
