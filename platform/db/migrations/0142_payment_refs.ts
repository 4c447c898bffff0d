import { type Kysely, sql } from 'kysely';

/** Whether a payment is that of a sale is asked by what its provider calls it, of which an account has a great many. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index provider_transactions_payment on provider_transactions (provider_account_id, payment_ref)
      where kind = 'payment' and payment_ref is not null;
    create index provider_transactions_checkout on provider_transactions (provider_account_id, checkout_ref)
      where kind = 'payment' and checkout_ref is not null;
  `.execute(db);
}
