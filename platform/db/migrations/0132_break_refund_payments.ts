import { type Kysely, sql } from 'kysely';

/** Providers such as Stripe list charges without their checkout: money of no sale is sent back by the payment, too. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table break_refunds
      alter column checkout_ref drop not null,
      add column payment_ref text,
      add check (checkout_ref is not null or payment_ref is not null);
  `.execute(db);
}
