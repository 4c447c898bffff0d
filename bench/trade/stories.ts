import { randomUUID } from 'node:crypto';
import { type Checkout, newRef } from '#gateways/payments/sandbox/checkout.ts';
import { type Happening, type Message, messageAbout } from '#gateways/payments/sandbox/messages.ts';
import { feeOf, NETWORK, type PaidBy } from '#gateways/payments/sandbox/rules.ts';

/** How a sale stands once every message about it was worked on: 'payment/escrow'. */
type Outcome = 'completed/in_escrow' | 'processing/pending' | 'failed/cancelled' | 'pending/pending';

/** One checkout, how it stands at the provider now, and what the provider tells about it. */
export interface Story {
  checkout: Checkout;
  messages: Message[];
  outcome: Outcome;
}

interface Plot {
  rail: Checkout['rail'];
  status: Checkout['status'];
  paidBy: PaidBy | null;
  /** what the sandbox sends */
  told: readonly Extract<Happening, { about: 'checkout' }>['what'][];
  /** what Stripe sends besides; the payment is all that these name */
  besides: readonly `${'payment_intent' | 'charge'}.${string}`[];
  outcome: Outcome;
}

const underWay = ['payment_intent.created', 'payment_intent.processing', 'charge.pending'] as const;
const card = { rail: 'card', besides: [], paidBy: null } as const;
const crypto = { rail: 'crypto', besides: [], paidBy: null } as const;
const paid = { status: 'paid', outcome: 'completed/in_escrow' } as const;

/** In twenty checkouts: fourteen by card or bank, six by crypto. */
const plots: readonly Plot[] = [
  ...times(8, {
    ...card,
    ...paid,
    paidBy: 'card',
    told: ['paid'],
    besides: ['payment_intent.created', 'charge.succeeded', 'payment_intent.succeeded', 'charge.updated'],
  }),
  ...times(2, {
    ...card,
    ...paid,
    paidBy: 'bank',
    told: ['submitted', 'settled'],
    besides: [...underWay, 'charge.succeeded', 'payment_intent.succeeded'],
  }),
  ...times(1, {
    ...card,
    status: 'processing',
    paidBy: 'bank',
    told: ['submitted'],
    besides: underWay,
    outcome: 'processing/pending',
  }),
  ...times(1, {
    ...card,
    status: 'open',
    told: [],
    besides: ['payment_intent.created', 'charge.failed', 'payment_intent.payment_failed'],
    outcome: 'pending/pending',
  }),
  ...times(2, { ...card, status: 'expired', told: ['expired'], outcome: 'failed/cancelled' }),
  ...times(4, { ...crypto, ...paid, paidBy: 'chain', told: ['paid'] }),
  ...times(1, { ...crypto, status: 'expired', told: ['expired'], outcome: 'failed/cancelled' }),
  ...times(1, { ...crypto, status: 'failed', told: ['failed'], outcome: 'failed/cancelled' }),
];
const silent: Plot = { ...card, status: 'open', told: [], outcome: 'pending/pending' };

function times(count: number, plot: Plot): Plot[] {
  return Array.from({ length: count }, () => plot);
}

/** What a checkout is for. Integer cents. */
export interface Subject {
  saleId: string;
  amountCents: number;
  openedAt: Date;
  expiresAt: Date;
}

/** The story of checkout `number`, in turn one of each kind. */
export const story = (number: number, subject: Subject, now: Date): Story =>
  told(plots[number % plots.length] ?? silent, subject, now);

/** A checkout that is open and of which nothing is told. */
export const silentStory = (subject: Subject, now: Date): Story => told(silent, subject, now);

function told(plot: Plot, subject: Subject, now: Date): Story {
  const checkout = checkoutOf(plot, subject, now);
  const messages = plot.told.flatMap((what) => {
    const status = what === 'submitted' ? ('processing' as const) : checkout.status;
    return messageAbout({ ...checkout, status }, { about: 'checkout', what }, now) ?? [];
  });
  messages.push(...plot.besides.map((type) => besides(type, checkout, now)));
  return { checkout, messages, outcome: plot.outcome };
}

function checkoutOf({ rail, status, paidBy }: Plot, subject: Subject, now: Date): Checkout {
  const { saleId, amountCents, openedAt, expiresAt } = subject;
  const isPaid = status === 'paid' && paidBy !== null;
  return {
    ref: newRef(rail, 'cs'),
    rail,
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
    payment_ref: rail === 'card' && paidBy ? newRef('card', 'pi') : null,
    tx_hash: paidBy === 'chain' ? `0x${randomUUID().replaceAll('-', '').repeat(2)}` : null,
    network: paidBy === 'chain' ? NETWORK : null,
    fee_cents: isPaid ? feeOf(paidBy, amountCents) : null,
    notice: null,
    bank_limit_cents: null,
    settle_after_ms: 86_400_000,
    settle_at: status === 'processing' ? new Date(now.getTime() + 86_400_000) : null,
    expires_at: expiresAt,
    paid_at: isPaid ? now : null,
    dispute: null,
    created_at: openedAt,
  };
}

function besides(type: Plot['besides'][number], checkout: Checkout, now: Date): Message {
  const eventId = newRef('card', 'evt');
  const payment = checkout.payment_ref ?? newRef('card', 'pi');
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
