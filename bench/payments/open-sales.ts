import { randomUUID } from 'node:crypto';
import { insertAll } from '#demo/insert.ts';
import { DEFAULT_ADMIN_PERCENTAGE } from '#features/commission/model.ts';
import { chargedFees } from '#features/fees/reads.ts';
import { ensureProviderAccount } from '#features/ledger/commands/ensure-provider-account.ts';
import { saleTerms } from '#features/sales/amounts.ts';
import { HOLD_MS } from '#features/sales/model.ts';
import type { PaymentMethod } from '#gateways/payments/port.ts';
import { accountProviderOf } from '#gateways/payments/providers.ts';
import { checkoutTransaction } from '#gateways/payments/sandbox/ledger.ts';
import { defaultAccount } from '#gateways/payments/sandbox/rules.ts';
import type { Ctx } from '#platform/context.ts';
import { MINUTE } from '#platform/durations.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { buyersWithSessions } from '../support/buyers.ts';
import { type CheckoutCase, checkoutCase, silentCheckoutCase } from './checkout-cases.ts';

const SELLERS = 40;
const BUYERS = 400;
const PRICE_CENTS = 640_000_00;
const BEGUN_MS = 5 * MINUTE;

/**
 * Inserts unpaid sales, each with its own property and an open checkout at the sandbox, as beginning and opening a purchase
 * would do.
 * @param withMessages number of sales the provider sends messages about
 * @param withoutMessages number of other open sales
 */
export async function openSales(
  system: Ctx,
  withMessages: number,
  withoutMessages: number,
): Promise<CheckoutCase[]> {
  const now = system.now();
  const begun = new Date(now.getTime() - BEGUN_MS);
  const heldUntil = new Date(begun.getTime() + HOLD_MS);
  const terms = saleTerms(PRICE_CENTS, await chargedFees(system), DEFAULT_ADMIN_PERCENTAGE);
  const accounts = {
    card: await accountFor(system, 'card'),
    crypto: await accountFor(system, 'crypto'),
  };
  const buyers = await buyersWithSessions(system, BUYERS);
  const sellers = await Promise.all(
    Array.from({ length: SELLERS }, async () => (await createUser(system.db, 'agent')).agentId ?? ''),
  );
  const cases = Array.from({ length: withMessages + withoutMessages }, (_, number) => {
    const sale = {
      saleId: randomUUID(),
      amountCents: terms.totalCents,
      openedAt: begun,
      expiresAt: heldUntil,
    };
    return number < withMessages ? checkoutCase(number, sale, now) : silentCheckoutCase(sale, now);
  });
  const properties = cases.map((_, at) => ({
    id: randomUUID(),
    agent_id: sellers[at % SELLERS] ?? '',
    type_id: 2,
    address: `${at + 1} Bench Street`,
    price_cents: PRICE_CENTS,
    status: 'Active' as const,
  }));
  const checkouts = cases.map(({ checkout }) => checkout);
  await system.db.tx(async () => {
    const q = system.db.q();
    await insertAll(q, 'properties', properties);
    await insertAll(
      q,
      'property_sales',
      checkouts.map(({ ref, method, sale_id }, at) => ({
        id: sale_id,
        property_id: properties[at]?.id ?? '',
        agent_id: properties[at]?.agent_id ?? '',
        buyer_id: buyers[at % BUYERS]?.id ?? '',
        sale_price_cents: terms.basePriceCents,
        buyer_fees_cents: terms.buyerFeesCents,
        seller_fees_cents: terms.sellerFeesCents,
        admin_percentage: terms.adminPercentage,
        agent_commission_cents: terms.agentCommissionCents,
        payment_method: method,
        provider: `sandbox-${method}`,
        provider_account_id: accounts[method],
        provider_session_id: ref,
        checkout_url: `http://localhost/sandbox/checkout/${ref}`,
        livemode: false,
        locked_until: heldUntil,
        idempotency_key: sale_id,
        created_at: begun,
      })),
    );
    await insertAll(
      q,
      'sale_events',
      checkouts.map(({ sale_id }) => ({
        sale_id,
        event: 'begin',
        actor_role: 'buyer',
        before: 'null',
        after: JSON.stringify({ payment: 'pending', escrow: 'pending', payout: null }),
        created_at: begun,
      })),
    );
    await insertAll(
      q,
      'transaction_fees',
      checkouts.flatMap(({ sale_id }) =>
        terms.fees.map((fee) => ({
          sale_id,
          service_fee_id: fee.feeId,
          name: fee.name,
          fee_type: fee.percent === null ? ('fixed' as const) : ('percentage' as const),
          percent: fee.percent,
          applies_to: fee.appliesTo,
          amount_applied_cents: fee.cents,
          created_at: begun,
        })),
      ),
    );
    await insertAll(
      q,
      'sandbox_checkouts',
      checkouts.map((checkout) => ({
        ...checkout,
        request: JSON.stringify(checkout.request),
      })),
    );
    await insertAll(
      q,
      'sandbox_transactions',
      checkouts.flatMap((checkout) => {
        const { fee_cents: feeCents, amount_cents: amountCents } = checkout;
        return feeCents === null
          ? []
          : [checkoutTransaction(checkout, { kind: 'payment', amountCents, feeCents }, now)];
      }),
    );
  });
  return cases;
}

/** The row of the account that payments by a method come into. */
const accountFor = (system: Ctx, method: PaymentMethod): Promise<string> => {
  const { account, livemode } = defaultAccount(method);
  return ensureProviderAccount(system, {
    provider: accountProviderOf(`sandbox-${method}`),
    livemode,
    account,
  });
};
