import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { createOrphanBreak } from '#tests/support/fixtures/breaks.ts';
import { createSaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { isPaymentOfSale, otherBookingsOf, salesPaidBy } from './refundable.ts';

await describeOnDatabase('whether a payment may be sent back', (open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
  });
  afterAll(() => db.close());

  const transactionOf = (id: string) =>
    db.q().selectFrom('provider_transactions').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

  it('depends on the sales that are paid in parts into the same account, too', async () => {
    const scenario = await createSaleScenario(db);
    // More than a card can carry.
    const propertyId = await scenario.createListing({ price_cents: 200_000_000 });
    const { saleId, ref: checkoutRef } = await scenario.checkout(scenario.buyer, propertyId);
    const { provider, provider_account_id: accountId } = await scenario.sale(saleId);
    expect(provider).toBe('sandbox-transfers');
    const isOfSale = async (ref: string) => {
      const { transactionId } = await createOrphanBreak(db, 'payment', { checkoutRef: ref, accountId });
      return isPaymentOfSale(scenario.system, await transactionOf(transactionId));
    };
    expect(await isOfSale(`cus_${randomUUID()}`)).toBe(false);
    expect(await isOfSale(checkoutRef)).toBe(true);
  });

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
    const transaction = await transactionOf(transactionId);
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
    const sales = await planOf(salesPaidBy(transaction, ['sandbox-card', 'sandbox-transfers']));
    expect(sales).toContain('property_sales_payment');
    expect(sales).toContain('sale_tranches_provider_ref');
    expect(sales).not.toMatch(/Seq Scan on (property_sales|sale_tranches)/);
  });
});
