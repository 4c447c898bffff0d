import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { receipt, saleView } from '#features/sales/reads.ts';
import { changeSetting } from '#features/settings/commands/change-setting.ts';
import type { Config } from '#platform/config.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testConfig } from '#tests/support/fixtures/context.ts';
import {
  checkoutTarget,
  createSaleScenario,
  panelListing,
  paymentsOf,
  type SaleScenario,
} from '#tests/support/fixtures/sale-scenario.ts';
import { beginPurchase } from './commands/begin-purchase.ts';
import { openCheckout } from './commands/open-checkout.ts';
import { purchasePanel } from './reads.ts';

/** A production server without DEMO=on. */
const production: Config = { ...testConfig, production: true, sandboxPayments: false };
const REFUSED = 'Payments are in test mode. Only named test buyers can purchase.';

await describeOnDatabase('test mode in production', (open) => {
  let db: Database;
  let scenario: SaleScenario;
  beforeAll(async () => {
    db = await open();
  });
  beforeEach(async () => {
    await db.q().deleteFrom('platform_settings').execute();
    scenario = await createSaleScenario(db);
  });
  afterAll(() => db.close());

  const context = (actor: UserActor, config = production) => ({ ...scenario.contextFor(actor), config });
  const begin = async (ctx: ReturnType<typeof context>) =>
    beginPurchase(ctx, {
      propertyId: await scenario.createListing(),
      method: 'card',
      expectedCents: null,
      key: randomUUID(),
    });
  const panel = (ctx: Parameters<typeof purchasePanel>[0], propertyId: string) =>
    purchasePanel(ctx, { listing: panelListing(propertyId, scenario.seller), totalCents: 400_000_00 });
  const name = (...value: string[]) =>
    changeSetting(scenario.contextFor(scenario.admin), { name: 'test_buyers', value });

  it('lets nobody purchase until test buyers are named, and then only those', async () => {
    expect(await begin(context(scenario.buyer))).toEqual({ ok: false, reason: 'test_mode' });
    await name(scenario.buyer.email.toUpperCase());
    expect(await begin(context(scenario.buyer))).toMatchObject({ ok: true });
    expect(await begin(context(scenario.otherBuyer))).toEqual({ ok: false, reason: 'test_mode' });
    await name();
    expect(await begin(context(scenario.buyer))).toEqual({ ok: false, reason: 'test_mode' });
  });

  it('opens no checkout for a buyer who is not named anymore, and frees the property', async () => {
    await name(scenario.buyer.email);
    const begun = await begin(context(scenario.buyer));
    const saleId = begun.ok ? begun.saleId : '';
    await name();
    expect(await openCheckout(context(scenario.buyer), checkoutTarget(saleId))).toEqual({
      ok: false,
      reason: 'test_mode',
    });
    expect(await scenario.state(saleId)).toBe('failed/cancelled/');
    expect((await scenario.sale(saleId)).provider_session_id).toBeNull();
  });

  it('holds for nobody with live keys, in development and in a demo', async () => {
    const live = paymentsOf({ ...scenario.payments.forMethod('card'), livemode: true });
    expect(await begin({ ...context(scenario.buyer), payments: live })).toMatchObject({ ok: true });
    expect(await begin(context(scenario.buyer, testConfig))).toMatchObject({ ok: true });
    expect(await begin(context(scenario.buyer, { ...production, sandboxPayments: true }))).toMatchObject({
      ok: true,
    });
  });

  it('is said at the purchase buttons, with the reason why they are disabled', async () => {
    const propertyId = await scenario.createListing();
    await name(scenario.buyer.email);
    const methods = async (ctx: Parameters<typeof purchasePanel>[0]) =>
      (await panel(ctx, propertyId)).methods.map(({ reason, testMode }) => ({ reason, testMode }));
    expect(await methods(context(scenario.otherBuyer))).toEqual([
      { reason: REFUSED, testMode: true },
      { reason: REFUSED, testMode: true },
    ]);
    const open = { reason: null, testMode: true };
    expect(await methods(context(scenario.buyer))).toEqual([open, open]);
    expect(await methods({ ...context(scenario.buyer), actor: { kind: 'visitor' } })).toEqual([open, open]);
    const both = (['card', 'crypto'] as const).map((method) => scenario.payments.forMethod(method));
    const cardIsLive = paymentsOf(...both.map((port) => ({ ...port, livemode: port.method === 'card' })));
    expect(await methods({ ...context(scenario.otherBuyer), payments: cardIsLive })).toEqual([
      { reason: null, testMode: false },
      { reason: REFUSED, testMode: true },
    ]);
  });

  it('is said on the pages of its sales, and of no other', async () => {
    const saleId = await scenario.createPaidSale();
    const marks = async (config: Config) => {
      const ctx = context(scenario.buyer, config);
      return [(await saleView(ctx, saleId)).testMode, (await receipt(ctx, saleId)).testMode];
    };
    expect(await marks(production)).toEqual([true, true]);
    expect(await marks(testConfig)).toEqual([false, false]);
    const { property_id } = await scenario.sale(saleId);
    expect((await panel(context(scenario.buyer), property_id)).own).toMatchObject({ saleId, testMode: true });
  });
});
