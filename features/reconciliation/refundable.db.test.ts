import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { createOrphanBreak } from '#tests/support/fixtures/breaks.ts';
import { otherBookingsOf, salesPaidBy } from './refundable.ts';

await describeOnDatabase('whether a payment may be sent back', (open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
  });
  afterAll(() => db.close());

  it('is asked by index, however much the account has booked', async () => {
    const refs = { checkoutRef: `cs_${randomUUID()}`, paymentRef: `pi_${randomUUID()}` };
    const { transactionId, accountId } = await createOrphanBreak(db, 'payment', refs);
    await sql`
      insert into provider_transactions (provider_account_id, ref, kind, amount_cents, fee_cents, currency, checkout_ref, payment_ref,
        booked_at)
      select ${accountId}, 'txn_' || n, 'payment', 1, 0, 'usd', 'cs_' || n, 'pi_' || n, now() from generate_series(1, 3000) n`.execute(
      db.q(),
    );
    await sql`analyze provider_transactions`.execute(db.q());
    const transaction = await db
      .q()
      .selectFrom('provider_transactions')
      .selectAll()
      .where('id', '=', transactionId)
      .executeTakeFirstOrThrow();
    const planOf = (query: ReturnType<typeof salesPaidBy>) =>
      db.tx(async () => {
        // The tables of a test are so small that reading them whole would be as cheap.
        await sql`set local enable_seqscan = off`.execute(db.q());
        return JSON.stringify((await sql`explain ${query}`.execute(db.q())).rows);
      });
    const bookings = await planOf(otherBookingsOf(transaction));
    expect(bookings).toContain('provider_transactions_checkout');
    expect(bookings).toContain('provider_transactions_payment');
    expect(bookings).not.toContain('provider_transactions_provider_account_id_ref_key');
    const sales = await planOf(salesPaidBy(transaction));
    expect(sales).toContain('property_sales_payment');
    expect(sales).toContain('sale_tranches_provider_ref');
    expect(sales).not.toMatch(/Seq Scan on (property_sales|sale_tranches)/);
  });
});
