import { randomUUID } from 'node:crypto';
import { insertAll } from '#demo/insert.ts';
import { chargedFees } from '#features/fees/reads.ts';
import { saleTerms } from '#features/purchases/amounts.ts';
import { DEFAULT_ADMIN_PERCENTAGE, HOLD_MS } from '#features/purchases/model.ts';
import type { Ctx } from '#platform/context.ts';
import { createPerson } from '#tests/support/people.ts';
import { buyersWithSessions } from './people.ts';
import { type Story, silentStory, story } from './stories.ts';

const SELLERS = 40;
const BUYERS = 400;
const PRICE_CENTS = 640_000_00;
const BEGUN_MS = 5 * 60_000;

/**
 * Writes sales that wait for payment, each of a house of its own and with its checkout at the sandbox, as beginning and
 * opening them would have done.
 * @param talked how many of them the provider has something to tell about
 * @param silent how many others are open
 */
export async function openSales(system: Ctx, talked: number, silent: number): Promise<Story[]> {
  const now = system.now();
  const begun = new Date(now.getTime() - BEGUN_MS);
  const until = new Date(begun.getTime() + HOLD_MS);
  const terms = saleTerms(PRICE_CENTS, await chargedFees(system), DEFAULT_ADMIN_PERCENTAGE);
  const buyers = await buyersWithSessions(system, BUYERS);
  const sellers = await Promise.all(
    Array.from({ length: SELLERS }, async () => (await createPerson(system.db, 'agent')).agentId ?? ''),
  );
  const stories = Array.from({ length: talked + silent }, (_, number) => {
    const subject = {
      saleId: randomUUID(),
      amountCents: terms.totalCents,
      openedAt: begun,
      expiresAt: until,
    };
    return number < talked ? story(number, subject, now) : silentStory(subject, now);
  });
  const houses = stories.map((_, at) => ({
    id: randomUUID(),
    agent_id: sellers[at % SELLERS] ?? '',
    type_id: 2,
    address: `${at + 1} Bench Street`,
    price_cents: PRICE_CENTS,
    status: 'Active' as const,
  }));
  const checkouts = stories.map(({ checkout }) => checkout);
  await system.db.tx(async (q) => {
    await insertAll(q, 'properties', houses);
    await insertAll(
      q,
      'property_sales',
      checkouts.map(({ ref, rail, sale_id }, at) => ({
        id: sale_id,
        property_id: houses[at]?.id ?? '',
        agent_id: houses[at]?.agent_id ?? '',
        buyer_id: buyers[at % BUYERS]?.id ?? '',
        sale_price_cents: terms.basePriceCents,
        buyer_fees_cents: terms.buyerFeesCents,
        seller_fees_cents: terms.sellerFeesCents,
        admin_percentage: terms.adminPercentage,
        agent_commission_cents: terms.agentCommissionCents,
        payment_method: rail,
        provider: `sandbox-${rail}`,
        provider_session_id: ref,
        checkout_url: `http://localhost/sandbox/checkout/${ref}`,
        livemode: false,
        locked_until: until,
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
        dispute: null,
      })),
    );
  });
  return stories;
}
