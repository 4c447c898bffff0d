import { randomUUID } from 'node:crypto';
import { type Checkout, createRef } from '#gateways/payments/sandbox/checkout.ts';
import { feeOf, NETWORK, type PaidBy } from '#gateways/payments/sandbox/rules.ts';
import { type SandboxEvent, type Webhook, webhookFor } from '#gateways/payments/sandbox/webhook.ts';
import { DAY } from '#platform/durations.ts';

/** The state of a sale once all its messages are processed: 'payment/escrow'. */
type Outcome = 'completed/in_escrow' | 'processing/pending' | 'failed/cancelled' | 'pending/pending';

/** A checkout as it now is at the provider, the messages about it, and their expected outcome. */
export interface CheckoutCase {
  checkout: Checkout;
  messages: Webhook[];
  outcome: Outcome;
}

interface CasePlan {
  method: Checkout['method'];
  status: Checkout['status'];
  paidBy: PaidBy | null;
  /** messages the sandbox sends */
  reported: readonly Extract<SandboxEvent, { about: 'checkout' }>['what'][];
  /** additional messages Stripe would send, which only refer to the payment */
  additional: readonly `${'payment_intent' | 'charge'}.${string}`[];
  outcome: Outcome;
}

const underWay = ['payment_intent.created', 'payment_intent.processing', 'charge.pending'] as const;
const card = { method: 'card', additional: [], paidBy: null } as const;
const crypto = { method: 'crypto', additional: [], paidBy: null } as const;
const paid = { status: 'paid', outcome: 'completed/in_escrow' } as const;

/** Of twenty checkouts, fourteen are by card or bank transfer and six by crypto. */
const plans: readonly CasePlan[] = [
  ...repeat(8, {
    ...card,
    ...paid,
    paidBy: 'card',
    reported: ['paid'],
    additional: ['payment_intent.created', 'charge.succeeded', 'payment_intent.succeeded', 'charge.updated'],
  }),
  ...repeat(2, {
    ...card,
    ...paid,
    paidBy: 'bank',
    reported: ['submitted', 'settled'],
    additional: [...underWay, 'charge.succeeded', 'payment_intent.succeeded'],
  }),
  ...repeat(1, {
    ...card,
    status: 'processing',
    paidBy: 'bank',
    reported: ['submitted'],
    additional: underWay,
    outcome: 'processing/pending',
  }),
  ...repeat(1, {
    ...card,
    status: 'open',
    reported: [],
    additional: ['payment_intent.created', 'charge.failed', 'payment_intent.payment_failed'],
    outcome: 'pending/pending',
  }),
  ...repeat(2, { ...card, status: 'expired', reported: ['expired'], outcome: 'failed/cancelled' }),
  ...repeat(4, { ...crypto, ...paid, paidBy: 'chain', reported: ['paid'] }),
  ...repeat(1, { ...crypto, status: 'expired', reported: ['expired'], outcome: 'failed/cancelled' }),
  ...repeat(1, { ...crypto, status: 'failed', reported: ['failed'], outcome: 'failed/cancelled' }),
];
const silentPlan: CasePlan = { ...card, status: 'open', reported: [], outcome: 'pending/pending' };

function repeat(count: number, plan: CasePlan): CasePlan[] {
  return Array.from({ length: count }, () => plan);
}

/** The sale a checkout is for. Integer cents. */
interface SaleToPay {
  saleId: string;
  amountCents: number;
  openedAt: Date;
  expiresAt: Date;
}

/** Checkout `number`, cycling through the kinds above. */
export const checkoutCase = (number: number, sale: SaleToPay, now: Date): CheckoutCase =>
  reported(plans[number % plans.length] ?? silentPlan, sale, now);

/** An open checkout without messages. */
export const silentCheckoutCase = (sale: SaleToPay, now: Date): CheckoutCase =>
  reported(silentPlan, sale, now);

function reported(plan: CasePlan, sale: SaleToPay, now: Date): CheckoutCase {
  const checkout = checkoutOf(plan, sale, now);
  const messages = plan.reported.flatMap((what) => {
    const status = what === 'submitted' ? ('processing' as const) : checkout.status;
    return webhookFor({ ...checkout, status }, { about: 'checkout', what }, now) ?? [];
  });
  messages.push(...plan.additional.map((type) => additional(type, checkout, now)));
  return { checkout, messages, outcome: plan.outcome };
}

function checkoutOf({ method, status, paidBy }: CasePlan, sale: SaleToPay, now: Date): Checkout {
  const { saleId, amountCents, openedAt, expiresAt } = sale;
  const isPaid = status === 'paid' && paidBy !== null;
  return {
    ref: createRef(method, 'cs'),
    method,
    in_parts: false,
    received_cents: 0,
    sale_id: saleId,
    request: {
      lines: [{ name: 'A house', amountCents }],
      description: 'Purchase of a house',
      buyerEmail: 'buyer@bench.test',
      successUrl: 'http://localhost/paid',
      cancelUrl: 'http://localhost/left',
    },
    amount_cents: amountCents,
    status,
    paid_by: paidBy,
    payment_ref: method === 'card' && paidBy ? createRef('card', 'pi') : null,
    tx_hash: paidBy === 'chain' ? `0x${randomUUID().replaceAll('-', '').repeat(2)}` : null,
    network: paidBy === 'chain' ? NETWORK : null,
    fee_cents: isPaid ? feeOf(paidBy, amountCents) : null,
    notice: null,
    bank_limit_cents: null,
    settle_after_ms: DAY,
    settle_at: status === 'processing' ? new Date(now.getTime() + DAY) : null,
    expires_at: expiresAt,
    paid_at: isPaid ? now : null,
    account: 'sandbox',
    livemode: false,
    available_after_ms: 0,
    created_at: openedAt,
  };
}

function additional(type: CasePlan['additional'][number], checkout: Checkout, now: Date): Webhook {
  const eventId = createRef('card', 'evt');
  const payment = checkout.payment_ref ?? createRef('card', 'pi');
  const isCharge = type.startsWith('charge');
  const object = {
    id: isCharge ? payment.replace('pi', 'ch') : payment,
    object: isCharge ? 'charge' : 'payment_intent',
    amount: checkout.amount_cents,
    currency: 'usd',
    livemode: false,
    ...(isCharge && { payment_intent: payment }),
  };
  const created = Math.floor(now.getTime() / 1000);
  const event = { id: eventId, object: 'event', created, livemode: false, type, data: { object } };
  return { eventId, type, payload: JSON.stringify(event) };
}
