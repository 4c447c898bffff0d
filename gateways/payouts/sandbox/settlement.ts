import type { Updateable } from 'kysely';
import type { Database } from '#platform/db/database.ts';
import type { SandboxPayoutItemsTable } from '#platform/db/schema.gen.ts';
import { DAY } from '#platform/durations.ts';
import { PaymentError } from '../../payments/port.ts';
import { lockAvailableCents, recordMovement } from '../../payments/sandbox/ledger.ts';
import type { SandboxAccount } from '../../payments/sandbox/rules.ts';
import { requireNoTransaction } from '../../payments/sandbox/transitions.ts';
import { type ItemRow, type PayoutRow, readItems } from './records.ts';
import { UNCLAIMED_DAYS } from './rules.ts';
import { announceItem, type MessageMode } from './webhook.ts';

/**
 * What can happen to an item: it arrives; it fails without having left; it is held for a review, and then blocked; the recipient
 * has no account; it comes back from there or from the bank; the recipient sends it back; the provider takes it back.
 */
export const PAYOUT_OUTCOMES = [
  'arrive',
  'fail',
  'hold',
  'block',
  'unclaim',
  'return',
  'refund',
  'reverse',
] as const;
export type PayoutOutcome = (typeof PAYOUT_OUTCOMES)[number];

type State = ItemRow['state'];
interface Transition {
  from: readonly State[];
  to: State;
}

const PAYPAL: Readonly<Record<PayoutOutcome, Transition>> = {
  arrive: { from: ['pending', 'onhold', 'unclaimed'], to: 'success' },
  fail: { from: ['pending', 'onhold'], to: 'failed' },
  hold: { from: ['pending'], to: 'onhold' },
  block: { from: ['pending', 'onhold'], to: 'blocked' },
  unclaim: { from: ['pending', 'onhold'], to: 'unclaimed' },
  return: { from: ['unclaimed', 'success'], to: 'returned' },
  refund: { from: ['success'], to: 'refunded' },
  reverse: { from: ['success'], to: 'reversed' },
};
/** A transfer has arrived as soon as it is made; Stripe can only take it back. */
const CONNECT: Readonly<Partial<Record<PayoutOutcome, Transition>>> = {
  return: { from: ['success'], to: 'reversed' },
  reverse: { from: ['success'], to: 'reversed' },
};

/** What can happen to an item now. */
export const possibleOutcomes = (method: PayoutRow['method'], state: State): PayoutOutcome[] =>
  PAYOUT_OUTCOMES.filter((one) => (method === 'paypal' ? PAYPAL : CONNECT)[one]?.from.includes(state));

const HAS_LEFT: readonly State[] = ['unclaimed', 'success'];
const HAS_RETURNED: readonly State[] = ['returned', 'refunded', 'reversed'];

/**
 * Lets something happen to an item.
 * @throws PaymentError `not_found`, `conflict` when that cannot happen to it anymore
 */
export function settlePayoutItem(
  db: Database,
  ref: string,
  outcome: PayoutOutcome,
  now: Date,
  { messages = 'once' }: { messages?: MessageMode } = {},
): Promise<void> {
  requireNoTransaction(db);
  return db.tx(async () => {
    const payout = await payoutOfItem(db, ref);
    await lockAvailableCents(db, accountOf(payout), now);
    const items = await readItems(db, payout.id);
    const position = items.findIndex((item) => item.ref === ref);
    const item = items[position];
    if (!item) throw new PaymentError('not_found', 'There is no such part of a payout.');
    if (!possibleOutcomes(payout.method, item.state).includes(outcome))
      throw new PaymentError('conflict', `This part of the payout is ${item.state}.`);
    const to = (payout.method === 'paypal' ? PAYPAL : CONNECT)[outcome]?.to ?? item.state;
    await change(db, { payout, item, position, to }, now, messages);
  });
}

/** Lets everything happen to all items of a payout that can happen to them, in their order. */
export async function settlePayout(
  db: Database,
  key: string,
  outcome: PayoutOutcome,
  now: Date,
  options: { messages?: MessageMode } = {},
): Promise<void> {
  const items = await db
    .q()
    .selectFrom('sandbox_payout_items as i')
    .innerJoin('sandbox_payouts as p', 'p.id', 'i.payout_id')
    .select(['i.ref', 'i.state', 'p.method'])
    .where('p.key', '=', key)
    .orderBy('i.id')
    .execute();
  const possible = items.filter(({ method, state }) => possibleOutcomes(method, state).includes(outcome));
  if (possible.length === 0) throw new PaymentError('conflict', 'That cannot happen to this payout.');
  for (const { ref } of possible) await settlePayoutItem(db, ref, outcome, now, options);
}

async function payoutOfItem(db: Database, ref: string): Promise<PayoutRow> {
  const payout = await db
    .q()
    .selectFrom('sandbox_payouts as p')
    .innerJoin('sandbox_payout_items as i', 'i.payout_id', 'p.id')
    .selectAll('p')
    .where('i.ref', '=', ref)
    .executeTakeFirst();
  if (!payout) throw new PaymentError('not_found', 'There is no such part of a payout.');
  return payout;
}

export const accountOf = ({ method, account, livemode }: PayoutRow): SandboxAccount => ({
  method,
  account,
  livemode,
});

interface Change {
  payout: PayoutRow;
  item: ItemRow;
  position: number;
  to: State;
}

async function change(
  db: Database,
  { payout, item, position, to }: Change,
  now: Date,
  messages: MessageMode,
): Promise<void> {
  const comesBack = HAS_RETURNED.includes(to);
  const left = item.amount_cents - item.returned_cents;
  const set: Updateable<SandboxPayoutItemsTable> = {
    state: to,
    settle_at: null,
    ...(comesBack && { returned_cents: item.amount_cents }),
    ...(to === 'failed' && { failure: 'other' }),
  };
  const changed = await db
    .q()
    .updateTable('sandbox_payout_items')
    .set(set)
    .where('ref', '=', item.ref)
    .returningAll()
    .executeTakeFirstOrThrow();
  const about = { objectRef: item.ref, saleId: payout.sale_id };
  if (HAS_LEFT.includes(to) && !HAS_LEFT.includes(item.state)) {
    const out = { amountCents: -item.amount_cents, feeCents: item.fee_cents, ...about };
    await recordMovement(db, accountOf(payout), { kind: 'transfer', ...out }, now);
  }
  if (comesBack) {
    await recordMovement(
      db,
      accountOf(payout),
      { kind: 'transfer_return', amountCents: left, ...about },
      now,
    );
    await takeFromSeller(db, payout, left);
  }
  await announceItem(db, payout, changed, position, now, messages);
}

/** What a seller has already had paid out to the bank stays a debt between seller and provider. */
async function takeFromSeller(db: Database, payout: PayoutRow, cents: number): Promise<void> {
  if (payout.method !== 'card') return;
  await db
    .q()
    .updateTable('sandbox_accounts')
    .set((each) => ({ balance_cents: each.fn('greatest', [each('balance_cents', '-', cents), each.val(0)]) }))
    .where('ref', '=', payout.destination)
    .execute();
}

/** Per run; the next run finds the rest. */
const BATCH = 200;

/** Processes what is due by `now`: items at PayPal arrive, unclaimed ones are returned. */
export async function processDuePayouts(db: Database, now: Date): Promise<void> {
  const pending = db.q().selectFrom('sandbox_payout_items').select('ref').where('state', '=', 'pending');
  const due = await pending.where('settle_at', '<=', now).orderBy('settle_at').limit(BATCH).execute();
  const expired = await db
    .q()
    .selectFrom('sandbox_payout_items')
    .select('ref')
    .where('state', '=', 'unclaimed')
    .where('created_at', '<=', new Date(now.getTime() - UNCLAIMED_DAYS * DAY))
    .limit(BATCH)
    .execute();
  for (const { ref } of due) await unlessDone(settlePayoutItem(db, ref, 'arrive', now));
  for (const { ref } of expired) await unlessDone(settlePayoutItem(db, ref, 'return', now));
}

/** Another process may have been faster. */
async function unlessDone(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof PaymentError && error.code === 'conflict')) throw error;
  }
}
