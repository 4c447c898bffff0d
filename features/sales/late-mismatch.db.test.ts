import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { returnMismatch } from '#features/payments/commands/decide-mismatch.ts';
import { eraseBuyer } from '#features/personal-data/commands/erase-buyer.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { type SaleAtProvider, saleAtProvider } from '#tests/support/fixtures/sale-at-provider.ts';
import { createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';

const PRICE = 300_000_00;

await describeOnDatabase('a payment of another amount for a purchase that had ended', (open) => {
  let db: Database;
  let bench: SaleScenario;
  let sale: SaleAtProvider;
  beforeAll(async () => {
    db = await open();
  });
  afterAll(() => db.close());
  beforeEach(async () => {
    bench = await createSaleScenario(db);
    sale = await saleAtProvider(bench, PRICE);
    await sale.providerSays({ status: 'expired', amountCents: 0 });
    expect(await bench.state(sale.saleId)).toBe('failed/cancelled/');
    await sale.providerSays({ status: 'paid', amountCents: PRICE - 5_00 });
    expect([await bench.state(sale.saleId), await sale.isFrozen()]).toEqual(['failed/cancelled/', true]);
    expect(await sale.balances()).toEqual({ clearing: PRICE - 5_00, suspense: -(PRICE - 5_00) });
  });

  it('keeps the buyer from being erased until it has gone back', async () => {
    const { id: buyerId, email } = bench.buyer;
    const erase = () =>
      eraseBuyer(bench.contextFor(bench.admin), { buyerId, reason: 'Asked for it.', confirmation: email });
    expect(await erase()).toEqual({ ok: false, reason: 'live_sale' });
    const back = await returnMismatch(bench.contextFor(bench.admin), { saleId: sale.saleId, note: 'Late.' });
    expect(back).toEqual({ ok: true });
    expect(await erase()).toEqual({ ok: false, reason: 'live_sale' });
    const [refund] = await bench.refunds(sale.saleId);
    const key = refund?.idempotency_key ?? '';
    await sale.providerSays({
      refunds: [sale.refund('succeeded', { key, amountCents: PRICE - 5_00 })],
    });
    expect(await bench.state(sale.saleId)).toBe('refunded/cancelled/');
    expect(await erase()).toMatchObject({ ok: true });
  });
});
