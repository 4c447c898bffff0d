import { expect, it } from 'vitest';
import { PARTS_HOLD_MS, SUBMITTED_HOLD_MS } from '#features/sales/model.ts';
import { transitionSale } from '#features/sales/transition-sale.ts';
import { sendTranche } from '#gateways/payments/sandbox/tranches.ts';
import { DAY, MINUTE } from '#platform/durations.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { createReconciliationScenario } from '#tests/support/fixtures/reconciliation-scenario.ts';
import { sweepSales } from './commands/sweep-sales.ts';

const PART = 999_999_99;

await describeOnDatabase('a payment in parts that is frozen on its way', (open) => {
  it('has the time that was left when it goes on: nobody could pay meanwhile', async () => {
    const db = await open();
    const scenario = await createReconciliationScenario(db);
    const propertyId = await scenario.createListing({ price_cents: 2_400_000_00 });
    const { saleId, ref } = await scenario.checkout(scenario.buyer, propertyId);
    await sendTranche(db, ref, PART, scenario.clock.now());
    await scenario.sync(saleId);
    const { locked_until: deadline } = await scenario.sale(saleId);
    const move = async (event: 'freeze_sale' | 'unfreeze_sale') =>
      scenario.system.db.tx(async () =>
        transitionSale(scenario.system, { sale: await scenario.sale(saleId), event, by: 'system' }),
      );
    scenario.clock.advance(5 * DAY);
    expect(await move('freeze_sale')).toMatchObject({ ok: true });
    scenario.clock.advance(3 * DAY);
    await sweepSales(scenario.system);
    expect(await scenario.state(saleId)).toBe('processing/pending/');
    expect(await move('unfreeze_sale')).toMatchObject({ ok: true });
    expect((await scenario.sale(saleId)).locked_until).toEqual(new Date(Number(deadline) + 3 * DAY));
    scenario.clock.advance(2 * DAY - MINUTE);
    await sweepSales(scenario.system);
    expect(await scenario.state(saleId)).toBe('processing/pending/');
    await db.close();
  });

  it.each([
    ['in parts', 2_400_000_00, PARTS_HOLD_MS],
    ['in one piece', 400_000_00, SUBMITTED_HOLD_MS],
  ])(
    '%s that begins meanwhile has its whole time when it goes on, and no more',
    async (_, price_cents, holdMs) => {
      const db = await open();
      const scenario = await createReconciliationScenario(db);
      const propertyId = await scenario.createListing({ price_cents });
      const { saleId, ref } = await scenario.checkout(scenario.buyer, propertyId);
      const move = async (event: 'freeze_sale' | 'unfreeze_sale') =>
        scenario.system.db.tx(async () =>
          transitionSale(scenario.system, { sale: await scenario.sale(saleId), event, by: 'system' }),
        );
      await move('freeze_sale');
      scenario.clock.advance(5 * MINUTE);
      if (holdMs === PARTS_HOLD_MS) await sendTranche(db, ref, PART, scenario.clock.now());
      else await scenario.actOnCheckoutPage(ref, 'pay_later');
      await scenario.sync(saleId);
      expect(await scenario.state(saleId)).toBe('processing/pending/');
      scenario.clock.advance(2 * DAY);
      expect(await move('unfreeze_sale')).toMatchObject({ ok: true });
      const { locked_until: until } = await scenario.sale(saleId);
      expect(until).toEqual(new Date(scenario.clock.now().getTime() + holdMs));
      await db.close();
    },
  );
});
