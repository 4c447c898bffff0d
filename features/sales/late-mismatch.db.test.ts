import { createElement, type FunctionComponent } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { returnMismatch } from '#features/payments/commands/decide-mismatch.ts';
import { eraseBuyer } from '#features/personal-data/commands/erase-buyer.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { type SaleAtProvider, saleAtProvider } from '#tests/support/fixtures/sale-at-provider.ts';
import { createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { NextSteps } from './components/next-steps.tsx';
import { SaleOutcome } from './components/sale-outcome.tsx';
import type { SaleView } from './model.ts';
import { saleView } from './reads.ts';

const PRICE = 300_000_00;

const textOf = <Props extends object>(component: FunctionComponent<Props>, props: Props): string => {
  const router = createMemoryRouter([{ path: '*', element: createElement(component, props) }]);
  return renderToStaticMarkup(createElement(RouterProvider, { router })).replace(/<[^>]+>/g, ' ');
};
/** What the buyer reads on the page of the sale and on coming back from the provider. */
const readOf = (sale: SaleView): string[] => [
  textOf(NextSteps, { sale, page: '/', openDialog: null, answer: undefined }),
  textOf(SaleOutcome, { sale }),
];

await describeOnDatabase('a payment of another amount for a purchase that had ended', (open) => {
  let db: Database;
  let scenario: SaleScenario;
  let sale: SaleAtProvider;
  beforeAll(async () => {
    db = await open();
  });
  afterAll(() => db.close());
  beforeEach(async () => {
    scenario = await createSaleScenario(db);
    sale = await saleAtProvider(scenario, PRICE);
    await sale.providerSays({ status: 'expired', amountCents: 0 });
    expect(await scenario.state(sale.saleId)).toBe('failed/cancelled/');
    await sale.providerSays({ status: 'paid', amountCents: PRICE - 5_00 });
    expect([await scenario.state(sale.saleId), await sale.isFrozen()]).toEqual(['failed/cancelled/', true]);
    expect(await sale.balances()).toEqual({ clearing: PRICE - 5_00, suspense: -(PRICE - 5_00) });
  });

  it('keeps the buyer from being erased until it has gone back', async () => {
    const { id: buyerId, email } = scenario.buyer;
    const erase = () =>
      eraseBuyer(scenario.contextFor(scenario.admin), {
        buyerId,
        reason: 'Asked for it.',
        confirmation: email,
      });
    expect(await erase()).toEqual({ ok: false, reason: 'live_sale' });
    const back = await returnMismatch(scenario.contextFor(scenario.admin), {
      saleId: sale.saleId,
      note: 'Late.',
    });
    expect(back).toEqual({ ok: true });
    expect(await erase()).toEqual({ ok: false, reason: 'live_sale' });
    const [refund] = await scenario.refunds(sale.saleId);
    const key = refund?.idempotency_key ?? '';
    await sale.providerSays({
      refunds: [sale.refund('succeeded', { key, amountCents: PRICE - 5_00 })],
    });
    expect(await scenario.state(sale.saleId)).toBe('refunded/cancelled/');
    expect(await erase()).toMatchObject({ ok: true });
  });

  it('is being checked, as its page says, until it is decided', async () => {
    const view = () => saleView(scenario.contextFor(scenario.buyer), sale.saleId);
    for (const text of readOf(await view())) {
      expect(text).toContain('payment is being checked');
      expect(text).not.toMatch(/Nothing was charged|Try again/);
    }
    await returnMismatch(scenario.contextFor(scenario.admin), { saleId: sale.saleId, note: 'Late.' });
    expect((await view()).next?.text).toBe('Your refund is on its way.');
  });
});

await describeOnDatabase('a payment of another amount', (open) => {
  it('is not to be paid again while it is being checked', async () => {
    const db = await open();
    const scenario = await createSaleScenario(db);
    const sale = await saleAtProvider(scenario, PRICE);
    const view = () => saleView(scenario.contextFor(scenario.buyer), sale.saleId);
    expect((await view()).checkoutUrl).not.toBeNull();
    await sale.providerSays({ status: 'paid', amountCents: PRICE - 5_00 });
    const seen = await view();
    expect(seen).toMatchObject({ frozen: true, checkoutUrl: null, state: { payment: 'pending' } });
    for (const text of readOf(seen)) expect(text).toContain('payment is being checked');
    await db.close();
  });
});
