import { randomUUID } from 'node:crypto';
import type { CheckoutState, DisputeState, RefundState } from '#gateways/payments/port.ts';
import { type BookedSale, type Books, pick, randomInteger } from './books.ts';

/** What a sale's payment has left in the provider's account: received, less costs, refunds and what disputes took. */
export function clearingOf({ checkout }: BookedSale): number {
  const { status, amountCents, currency, livemode, feeCents, refunds, disputes } = checkout;
  if (status !== 'paid' || currency !== 'usd' || livemode) return 0;
  const sum = (amounts: number[]) => amounts.reduce((total, cents) => total + cents, 0);
  const refunded = refunds.filter((refund) => refund.status === 'succeeded');
  const chargebacks = disputes.filter(({ kind }) => kind === 'chargeback');
  return (
    amountCents -
    (feeCents ?? 0) -
    sum(refunded.map((refund) => refund.amountCents)) -
    sum(chargebacks.map((dispute) => dispute.amountCents - dispute.returnedCents)) -
    sum(chargebacks.map((dispute) => dispute.feeCents ?? 0))
  );
}

/** Something happens at the provider, or not, and we are told, once, twice or later. */
export async function proceed(books: Books, sale: BookedSale): Promise<void> {
  const { saleScenario, random } = books;
  const before = JSON.stringify(sale.checkout);
  sale.checkout = await next(books, sale);
  if (JSON.stringify(sale.checkout) !== before) sale.told = false;
  for (let times = randomInteger(random, 0, 2); times > 0; times -= 1) {
    await saleScenario.providerSays(sale.id, sale.checkout);
    sale.told = true;
  }
}

async function next(books: Books, sale: BookedSale): Promise<CheckoutState> {
  const { random } = books;
  const { checkout } = sale;
  if (checkout.status === 'open' || checkout.status === 'processing') return paid(random, checkout);
  if (checkout.status !== 'paid') return checkout;
  const dice = random();
  if (dice < 0.1) return { ...checkout, feeCents: checkout.feeCents ?? randomInteger(random, 1, 100) };
  if (dice < 0.55) return { ...checkout, refunds: await nextRefunds(books, sale) };
  return { ...checkout, disputes: nextDisputes(random, checkout) };
}

function paid(random: () => number, checkout: CheckoutState): CheckoutState {
  const dice = random();
  if (dice < 0.1) return { ...checkout, status: 'processing' };
  if (dice < 0.15) return { ...checkout, status: 'failed' };
  if (dice < 0.2) return { ...checkout, status: 'paid', livemode: true };
  if (dice < 0.25) return { ...checkout, status: 'paid', saleId: null };
  if (dice < 0.4)
    return { ...checkout, status: 'paid', amountCents: randomInteger(random, 1, 2 * checkout.amountCents) };
  return { ...checkout, status: 'paid' };
}

/** A refund that we asked for is taken up or ends, one that had arrived comes back, or an operator refunds. */
async function nextRefunds(
  { saleScenario, random }: Books,
  { id, checkout }: BookedSale,
): Promise<RefundState[]> {
  const known = new Set(checkout.refunds.map(({ key }) => key));
  const asked = (await saleScenario.refunds(id)).filter(
    ({ status, origin, idempotency_key }) =>
      status === 'pending' && origin === 'platform' && !known.has(idempotency_key),
  );
  const [first] = asked;
  if (first && random() < 0.7)
    return [
      ...checkout.refunds,
      {
        ref: `re_${first.id}`,
        key: first.idempotency_key,
        amountCents: first.amount_cents,
        status: pick(random, ['pending', 'succeeded', 'failed'] as const) ?? 'pending',
      },
    ];
  if (random() < 0.15)
    return [
      ...checkout.refunds,
      {
        ref: `re_${randomUUID()}`,
        key: null,
        amountCents: randomInteger(random, 1, checkout.amountCents),
        status: pick(random, ['pending', 'succeeded', 'failed'] as const) ?? 'pending',
      },
    ];
  const chosen = pick(random, checkout.refunds)?.ref;
  return checkout.refunds.map((refund) => {
    if (refund.ref !== chosen) return refund;
    if (refund.status === 'pending')
      return { ...refund, status: random() < 0.7 ? ('succeeded' as const) : ('failed' as const) };
    return refund.status === 'succeeded' && random() < 0.3
      ? { ...refund, status: 'failed' as const }
      : refund;
  });
}

/** A dispute is opened, becomes a chargeback, or is decided; its fee becomes known, or is given back. */
function nextDisputes(random: () => number, checkout: CheckoutState): DisputeState[] {
  if (checkout.disputes.length < 2 && random() < 0.3)
    return [
      ...checkout.disputes,
      {
        ref: `dp_${randomUUID()}`,
        kind: random() < 0.3 ? 'inquiry' : 'chargeback',
        status: 'open',
        amountCents: random() < 0.5 ? checkout.amountCents : randomInteger(random, 1, checkout.amountCents),
        returnedCents: 0,
        feeCents: null,
        reason: 'fraudulent',
        evidenceDueAt: null,
      },
    ];
  const chosen = pick(random, checkout.disputes)?.ref;
  return checkout.disputes.map((dispute) =>
    dispute.ref === chosen ? nextDispute(random, dispute) : dispute,
  );
}

function nextDispute(random: () => number, dispute: DisputeState): DisputeState {
  if (dispute.kind === 'inquiry' && dispute.status === 'open')
    return random() < 0.5 ? { ...dispute, kind: 'chargeback' } : { ...dispute, status: 'won' };
  if (dispute.status !== 'open') {
    if (dispute.status === 'won' || random() < 0.8) return dispute;
    return random() < 0.5
      ? { ...dispute, status: 'won', returnedCents: dispute.amountCents }
      : { ...dispute, returnedCents: randomInteger(random, dispute.returnedCents, dispute.amountCents - 1) };
  }
  const dice = random();
  if (dice < 0.4) return { ...dispute, feeCents: dispute.feeCents ?? randomInteger(random, 1, 5_000) };
  if (dice < 0.7) {
    const returnedCents = dice < 0.5 ? randomInteger(random, 0, dispute.amountCents - 1) : 0;
    return { ...dispute, status: 'lost', returnedCents };
  }
  return { ...dispute, status: 'won', returnedCents: dispute.amountCents, feeCents: 0 };
}
