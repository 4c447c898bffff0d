import { randomUUID } from 'node:crypto';
import type { SaleAmounts } from '#features/ledger/model.ts';
import type { CheckoutState } from '#gateways/payments/port.ts';
import type { SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';

/** A sale in the books, and the truth about its payment at the provider. */
export interface BookedSale {
  id: string;
  amounts: SaleAmounts;
  checkout: CheckoutState;
  /** the provider's latest truth has been told to us */
  told: boolean;
  operations: number;
}

export interface Books {
  saleScenario: SaleScenario;
  /** the provider account of all sales */
  account: string;
  random: () => number;
  open: BookedSale[];
}

export const randomInteger = (random: () => number, least: number, most: number): number =>
  least + Math.floor(random() * (most - least + 1));

export const pick = <T>(random: () => number, list: readonly T[]): T | undefined =>
  list[Math.floor(random() * list.length)];

/** A sale of a random price with random shares and fees, whose checkout is open. */
export async function beginSale({ saleScenario, account, random }: Books): Promise<BookedSale> {
  const base = Math.ceil(10 ** (random() * 11));
  const share = randomInteger(random, 0, base);
  const amounts: SaleAmounts = {
    basePriceCents: base,
    buyerFeesCents: random() < 0.3 ? 0 : randomInteger(random, 1, base),
    agentCommissionCents: share,
    sellerFeesCents: random() < 0.5 ? 0 : randomInteger(random, 0, share),
  };
  const ref = `cs_${randomUUID()}`;
  const { id } = await saleScenario.db
    .q()
    .insertInto('property_sales')
    .values({
      property_id: await saleScenario.createListing(),
      buyer_id: saleScenario.buyer.id,
      agent_id: saleScenario.seller.agentId ?? '',
      sale_price_cents: base,
      buyer_fees_cents: amounts.buyerFeesCents,
      seller_fees_cents: amounts.sellerFeesCents,
      admin_percentage: 20,
      agent_commission_cents: share,
      payment_method: 'card',
      provider: 'sandbox-card',
      provider_account_id: account,
      provider_session_id: ref,
      idempotency_key: ref,
      created_at: saleScenario.clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const fee = (applies_to: 'buyer' | 'seller', amount_applied_cents: number) => ({
    sale_id: id,
    name: applies_to,
    fee_type: 'fixed' as const,
    applies_to,
    amount_applied_cents,
  });
  await saleScenario.db
    .q()
    .insertInto('transaction_fees')
    .values([fee('buyer', amounts.buyerFeesCents), fee('seller', amounts.sellerFeesCents)])
    .execute();
  const checkout: CheckoutState = {
    ref,
    url: null,
    status: 'open',
    saleId: id,
    amountCents: base + amounts.buyerFeesCents,
    currency: 'usd',
    livemode: false,
    feeCents: null,
    paymentRef: `pi_${ref}`,
    paidWith: 'card',
    receiptUrl: null,
    txHash: null,
    network: null,
    expiresAt: saleScenario.clock.now(),
    refunds: [],
    tranches: [],
    disputes: [],
  };
  return { id, amounts, checkout, told: true, operations: 0 };
}
