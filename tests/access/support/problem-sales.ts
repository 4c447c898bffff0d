import { randomUUID } from 'node:crypto';
import { confirmBankRefund } from '#features/payments/commands/pay-refund.ts';
import { applyCheckout, syncPayment } from '#features/payments/commands/sync-payment.ts';
import { actOnSale } from '#features/sales/commands/act-on-sale.ts';
import type { CheckoutState } from '#gateways/payments/port.ts';
import { performSandboxAction } from '#gateways/payments/sandbox/checkout-page.ts';
import { disputeSandbox } from '#gateways/payments/sandbox/disputes.ts';
import { orderStuckRefund } from '#tests/support/fixtures/stuck-refund.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { newSale, paymentsFor, type SaleFixture, systemContext, withoutRateLimits } from './sales.ts';
import type { Scenario } from './scenario.ts';

/** What the provider says about a sale's paid checkout, with something changed, applied to the sale. */
async function provideTruth(
  scenario: Scenario,
  { saleId, ref }: SaleFixture,
  change: Partial<CheckoutState>,
): Promise<void> {
  const truth = await paymentsFor(scenario)
    .forMethod('card')
    .getCheckout(ref ?? '');
  await applyCheckout(systemContext(scenario), { saleId, checkout: { ...truth, ...change } });
}

/**
 * A sale whose payment is set aside and waits for a decision, because the provider says that it is for another sale, also in
 * its message, which the server may read first.
 */
export async function differingSale(scenario: Scenario): Promise<SaleFixture> {
  const sale = await newSale(scenario, 'open');
  await scenario.db
    .q()
    .updateTable('sandbox_checkouts')
    .set({ sale_id: randomUUID() })
    .where('ref', '=', sale.ref ?? '')
    .execute();
  await performSandboxAction(scenario.db, sale.ref ?? '', 'pay', new Date());
  await provideTruth(scenario, sale, {});
  return sale;
}

/**
 * A sale whose payment came in another currency, of which nothing is held. The sandbox, which knows dollars alone, was never
 * paid: its message about dollars would set those aside, whenever it came.
 */
export async function foreignSale(scenario: Scenario): Promise<SaleFixture> {
  const sale = await newSale(scenario, 'open');
  await provideTruth(scenario, sale, { status: 'paid', paidWith: 'card', currency: 'eur' });
  return sale;
}

/** A sale in escrow of which $5.00 were refunded at the provider without being ordered here. */
export async function refundedAtProvider(scenario: Scenario): Promise<SaleFixture> {
  const sale = await newSale(scenario, 'in escrow');
  const refund = { ref: `re_${randomUUID()}`, status: 'succeeded' as const, amountCents: 5_00, key: null };
  await provideTruth(scenario, sale, { refunds: [refund] });
  return sale;
}

/** A sale in escrow whose payment the payer's bank has charged back. */
export async function disputedSale(scenario: Scenario): Promise<SaleFixture & { disputeId: string }> {
  const sale = await newSale(scenario, 'in escrow');
  await disputeSandbox(scenario.db, sale.ref ?? '', new Date());
  const payments = paymentsFor(scenario);
  await syncPayment({ ...systemContext(scenario), payments }, { saleId: sale.saleId });
  const { id } = await scenario.db
    .q()
    .selectFrom('disputes')
    .select('id')
    .where('sale_id', '=', sale.saleId)
    .executeTakeFirstOrThrow();
  return { ...sale, disputeId: id };
}

/** A sale with a refund of $5.00 that the provider has refused. */
export interface StuckRefundSale extends SaleFixture {
  refundId: string;
}

/**
 * A sale in escrow with a refund that its provider refuses, because a part of the payment has been charged back: it is to be sent again
 * in an hour.
 */
export async function stuckRefundSale(scenario: Scenario): Promise<StuckRefundSale> {
  const sale = await newSale(scenario, 'in escrow');
  const payments = paymentsFor(scenario);
  const contexts = { admin: scenario.ctx('admin'), system: { ...systemContext(scenario), payments } };
  const refundId = await orderStuckRefund(contexts, {
    saleId: sale.saleId,
    refundCents: 5_00,
    lostCents: 7_00,
  });
  return { ...sale, refundId };
}

/** The same, when the sale has been cancelled since. */
export async function owedRefundSale(scenario: Scenario): Promise<StuckRefundSale> {
  const sale = await stuckRefundSale(scenario);
  const cancelled = await actOnSale(withoutRateLimits(scenario.ctx('admin')), {
    saleId: sale.saleId,
    event: 'cancel_sale',
    note: 'A reason.',
  });
  if (!cancelled.ok) throw new Error(`The sale was not cancelled: ${cancelled.reason}`);
  return sale;
}

/** A sale with a refund that is stuck, when another administrator has recorded the bank transfer by which it is paid. */
export async function recordedRefundSale(scenario: Scenario): Promise<StuckRefundSale> {
  const sale = await stuckRefundSale(scenario);
  const { id } = await createUser(scenario.db, 'admin');
  await scenario.db
    .q()
    .updateTable('refunds')
    .set({ bank_reference: 'TR-2048', recorded_by: id, recorded_at: new Date() })
    .where('id', '=', sale.refundId)
    .execute();
  return sale;
}

/** The same, when it has been confirmed that it was paid from our bank account. */
export async function bankRefundSale(scenario: Scenario): Promise<StuckRefundSale> {
  const sale = await recordedRefundSale(scenario);
  const ctx = { ...withoutRateLimits(scenario.ctx('admin')), payments: paymentsFor(scenario) };
  const { refundId } = sale;
  const confirmed = await confirmBankRefund(ctx, { refundId, reference: 'TR-2048', amountCents: 5_00 });
  if (!confirmed.ok) throw new Error(`The refund was not confirmed: ${confirmed.reason}`);
  return sale;
}
