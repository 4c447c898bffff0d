import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beginPurchase } from '#features/checkout/commands/begin-purchase.ts';
import { cancelCheckout } from '#features/checkout/commands/cancel-checkout.ts';
import { openCheckout } from '#features/checkout/commands/open-checkout.ts';
import { chargedFees } from '#features/fees/reads.ts';
import { saleTerms } from '#features/sales/amounts.ts';
import type { PartyEvent } from '#features/sales/model.ts';
import { performSandboxAction, type SandboxAction } from '#gateways/payments/sandbox/checkout-page.ts';
import { closeSandboxDispute, disputeSandbox } from '#gateways/payments/sandbox/disputes.ts';
import { settleSandbox, settleSandboxRefund } from '#gateways/payments/sandbox/settlement.ts';
import type { UserActor } from '#platform/context.ts';
import { MINUTE } from '#platform/durations.ts';
import { checkoutTarget } from '#tests/support/fixtures/sale-scenario.ts';
import { advanceTime, runJobs } from '../scenario.ts';
import type { Market, MarketSale, Stage } from './market.ts';

/** The percentage that the platform keeps unless a setting says otherwise. */
const ADMIN_PERCENTAGE = 20;

/** Something that somebody does with a sale; returns the stage in which the sale must be afterwards. */
interface SaleOperation {
  name: string;
  run(market: Market, sale: MarketSale): Promise<Stage>;
}

/** A buyer begins a purchase of a new listing and opens its checkout. The purchase may be refused. */
export async function beginSale({ saleScenario, buyers, random, open }: Market): Promise<void> {
  const buyer = buyers[Math.floor(random() * buyers.length)] ?? saleScenario.buyer;
  const method = random() < 0.6 ? 'card' : 'crypto';
  const price_cents = Math.ceil(10 ** (2 + random() * 7.9));
  const propertyId = await saleScenario.createListing({ price_cents });
  const ctx = saleScenario.contextFor(buyer);
  const begun = await beginPurchase(ctx, { propertyId, method, expectedCents: null, key: randomUUID() });
  if (!begun.ok) return;
  const opened = await openCheckout(ctx, checkoutTarget(begun.saleId));
  if (!opened.ok) return;
  const terms = saleTerms(price_cents, await chargedFees(saleScenario.system), ADMIN_PERCENTAGE);
  const ref = opened.url.split('/').at(-1) ?? '';
  open.push({ id: begun.saleId, ref, buyer, method, terms, stage: 'open' });
}

/** Up to half an hour passes; everything that is due happens, here and at the providers. */
export const letTimePass = ({ saleScenario, random }: Market): Promise<void> =>
  advanceTime(saleScenario, Math.ceil(random() * 30) * MINUTE);

const onPage = (action: SandboxAction, paid: Stage): SaleOperation => ({
  name: action,
  async run({ saleScenario }, { id, ref, stage }) {
    const done = await performSandboxAction(saleScenario.db, ref, action, saleScenario.clock.now());
    await saleScenario.sync(id);
    return done.ok
      ? paid
      : stageAfterRefusal(saleScenario.clock.now(), stage, await expiryOf(saleScenario, ref));
  },
});

const expiryOf = async ({ db }: Market['saleScenario'], ref: string): Promise<Date> =>
  (
    await db
      .q()
      .selectFrom('sandbox_checkouts')
      .select('expires_at')
      .where('ref', '=', ref)
      .executeTakeFirstOrThrow()
  ).expires_at;

/** A checkout that is past its end cannot be paid, and whoever asks about it hears that it is over. */
const stageAfterRefusal = (now: Date, stage: Stage, expiry: Date): Stage => (expiry <= now ? 'over' : stage);

const decline: SaleOperation = {
  name: 'decline',
  async run(market, sale) {
    // A declined card leaves the checkout open for another one.
    return onPage('decline', sale.method === 'card' ? 'open' : 'over').run(market, sale);
  },
};

const payLater: SaleOperation = {
  name: 'pay later',
  run: (market, sale) => onPage('pay_later', 'submitted').run(market, sale),
};

const giveUp: SaleOperation = {
  name: 'cancel the checkout',
  async run({ saleScenario }, { id, buyer }) {
    await cancelCheckout(saleScenario.contextFor(buyer), { saleId: id });
    return 'over';
  },
};

const bank = (outcome: 'paid' | 'failed'): SaleOperation => ({
  name: `the transfer has ${outcome}`,
  async run({ saleScenario }, { id, ref }) {
    await settleSandbox(saleScenario.db, ref, outcome, saleScenario.clock.now());
    await saleScenario.sync(id);
    return outcome === 'paid' ? 'held' : 'over';
  },
});

const act = (
  party: 'buyer' | 'seller' | 'admin' | 'stranger',
  event: PartyEvent,
  after?: Stage,
): SaleOperation => ({
  name: `${event} by the ${party}`,
  async run({ saleScenario, buyers, random }, { id, buyer, stage }) {
    const strangers = buyers.filter((one) => one !== buyer);
    const people: Record<typeof party, UserActor> = {
      buyer,
      seller: saleScenario.seller,
      admin: saleScenario.admin,
      stranger: strangers[Math.floor(random() * strangers.length)] ?? saleScenario.otherBuyer,
    };
    const done = await saleScenario.act(people[party], id, event);
    return done.ok && after ? after : stage;
  },
});

const dispute: SaleOperation = {
  name: 'dispute the payment',
  async run({ saleScenario }, { id, ref }) {
    await disputeSandbox(saleScenario.db, ref, saleScenario.clock.now());
    await saleScenario.sync(id);
    const payment = await saleScenario.payments.forMethod('card').getCheckout(ref);
    // A bank transfer is taken back at once.
    return payment.disputes.at(-1)?.status === 'lost' ? 'over' : 'disputed';
  },
};

const decideDispute = (outcome: 'won' | 'lost'): SaleOperation => ({
  name: `the dispute is ${outcome}`,
  async run({ saleScenario }, { id, ref }) {
    await closeSandboxDispute(saleScenario.db, ref, outcome, saleScenario.clock.now());
    await saleScenario.sync(id);
    return outcome === 'won' ? 'held' : 'over';
  },
});

const sendRefunds: SaleOperation = {
  name: 'send refunds',
  async run({ saleScenario }, { stage }) {
    await runJobs(saleScenario.system, saleScenario.payments);
    return stage;
  },
};

const endRefund = (outcome: 'succeeded' | 'failed'): SaleOperation => ({
  name: `the refund has ${outcome}`,
  async run({ saleScenario }, { id, ref, stage }) {
    const pending = await saleScenario.db
      .q()
      .selectFrom('sandbox_refunds')
      .select('ref')
      .where('checkout_ref', '=', ref)
      .where('status', '=', 'pending')
      .executeTakeFirst();
    if (!pending) return stage;
    await settleSandboxRefund(saleScenario.db, pending.ref, outcome, saleScenario.clock.now());
    await saleScenario.sync(id);
    return outcome === 'succeeded' ? 'over' : stage;
  },
});

const askAgain: SaleOperation = {
  name: 'ask the provider twice',
  async run({ saleScenario }, { id, ref, method, stage }) {
    await saleScenario.sync(id);
    await saleScenario.sync(id);
    if (stage === 'open')
      return stageAfterRefusal(saleScenario.clock.now(), stage, await expiryOf(saleScenario, ref));
    if (stage !== 'submitted') return stage;
    // A transfer may have arrived since the provider was last asked.
    const { status } = await saleScenario.payments.forMethod(method).getCheckout(ref);
    return status === 'paid' ? 'held' : stage;
  },
};

const MEDDLING = [
  sql`update ledger_postings set amount_cents = amount_cents + 1`,
  sql`delete from ledger_postings`,
  sql`update ledger_entries set memo = 'Nothing happened'`,
  sql`delete from ledger_entries`,
  sql`truncate ledger_entries cascade`,
];

const meddle: SaleOperation = {
  name: 'change the ledger',
  async run({ saleScenario, random }, { stage }) {
    const statement = MEDDLING[Math.floor(random() * MEDDLING.length)] ?? MEDDLING[0];
    const changed = await statement?.execute(saleScenario.db.q()).then(
      ({ numAffectedRows = 0n }) => numAffectedRows,
      () => 0n,
    );
    if (changed) throw new Error(`${changed} rows of the ledger could be changed`);
    return stage;
  },
};

const ALWAYS = [
  askAgain,
  meddle,
  act('stranger', 'confirm_closing'),
  act('seller', 'confirm_closing'),
  act('buyer', 'release'),
  act('buyer', 'cancel_sale'),
];

const AT: Record<Stage, readonly SaleOperation[]> = {
  open: [
    ...Array.from({ length: 8 }, () => onPage('pay', 'held')),
    payLater,
    payLater,
    payLater,
    decline,
    onPage('expire', 'over'),
    giveUp,
    act('admin', 'cancel_sale'),
    act('buyer', 'confirm_closing'),
  ],
  submitted: [bank('paid'), bank('paid'), bank('failed'), giveUpTooLate()],
  held: [
    act('seller', 'deliver_documents'),
    act('buyer', 'confirm_closing', 'released'),
    act('buyer', 'confirm_closing', 'released'),
    act('admin', 'release', 'released'),
    act('buyer', 'request_cancellation'),
    act('seller', 'request_cancellation'),
    act('buyer', 'agree_cancellation', 'returning'),
    act('seller', 'agree_cancellation', 'returning'),
    act('buyer', 'decline_cancellation'),
    act('seller', 'decline_cancellation'),
    act('admin', 'cancel_sale', 'returning'),
    act('buyer', 'report_problem'),
    act('admin', 'resolve_problem'),
    dispute,
  ],
  disputed: [
    decideDispute('won'),
    decideDispute('lost'),
    act('buyer', 'confirm_closing', 'released'),
    act('admin', 'release', 'released'),
    act('admin', 'cancel_sale', 'returning'),
  ],
  returning: [
    sendRefunds,
    sendRefunds,
    endRefund('succeeded'),
    endRefund('succeeded'),
    endRefund('failed'),
    act('admin', 'release'),
  ],
  released: [],
  over: [],
};

/** A payment under way cannot be called back. */
function giveUpTooLate(): SaleOperation {
  return {
    name: 'cancel the checkout too late',
    async run({ saleScenario }, { id, buyer, stage }) {
      await cancelCheckout(saleScenario.contextFor(buyer), { saleId: id });
      return stage;
    },
  };
}

/** What can be tried at a stage, each as often as it stands in the list; some of it is refused. */
export const operationsAt = (stage: Stage): readonly SaleOperation[] => [...AT[stage], ...ALWAYS];
