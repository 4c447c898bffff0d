import type { Database } from '#platform/db/database.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { PaymentError, type ProviderBalance } from '../../payments/port.ts';
import { readBalance } from '../../payments/sandbox/ledger.ts';
import { deliverWebhooksJob } from '../../payments/sandbox/transitions.ts';
import { type PayoutMethod, type PayoutState, payoutMethods } from '../port.ts';
import { addFunds, decideAccount, payOutSeller, sellerAccount } from './accounts.ts';
import { heldCents, readItems, readState } from './records.ts';
import { defaultPayoutAccount } from './rules.ts';
import {
  PAYOUT_OUTCOMES,
  type PayoutOutcome,
  possibleOutcomes,
  settlePayout,
  settlePayoutItem,
} from './settlement.ts';
import { MESSAGE_MODES, type MessageMode } from './webhook.ts';

/** Newest entries shown of each kind. */
const SHOWN = 30;

/** A payout at the sandbox, for developers. Cents. */
export interface ConsolePayout extends PayoutState {
  id: number;
  method: PayoutMethod;
  saleId: string;
  amountCents: number;
  destination: string;
  /** ISO */
  at: string;
  /** what can happen to any of its items now */
  outcomes: PayoutOutcome[];
  /** what can happen to each, by its reference */
  itemOutcomes: Record<string, PayoutOutcome[]>;
}

export interface ConsoleAccount {
  ref: string;
  name: string;
  email: string;
  transfersActive: boolean;
  requirement: string | null;
  balanceCents: number;
}

/** A message about payouts: sent, waiting, or held back when `nextAt` is null before it was sent. */
export interface ConsoleMessage {
  eventId: string;
  type: string;
  about: string;
  /** ISO */
  deliveredAt: string | null;
  /** ISO */
  nextAt: string | null;
  error: string | null;
}

interface PayoutConsole {
  balances: Record<PayoutMethod, ProviderBalance>;
  payouts: ConsolePayout[];
  accounts: ConsoleAccount[];
  messages: ConsoleMessage[];
}

/** What the sandbox knows of payouts, newest first; `search` finds payouts by sale, key or destination. */
export async function readPayoutConsole(db: Database, search: string, now: Date): Promise<PayoutConsole> {
  return {
    balances: { stripe: await balanceOf(db, 'stripe', now), paypal: await balanceOf(db, 'paypal', now) },
    payouts: await readPayouts(db, search.trim()),
    accounts: await readAccounts(db),
    messages: await readMessages(db),
  };
}

async function balanceOf(db: Database, method: PayoutMethod, now: Date): Promise<ProviderBalance> {
  const who = defaultPayoutAccount(method);
  const { availableCents, pendingCents } = await readBalance(db, who, now);
  return { availableCents: availableCents - (await heldCents(db, who)), pendingCents };
}

async function readPayouts(db: Database, search: string): Promise<ConsolePayout[]> {
  let query = db.q().selectFrom('sandbox_payouts').selectAll().orderBy('id', 'desc').limit(SHOWN);
  if (search !== '')
    query = query.where((row) =>
      row.or([row('key', '=', search), row('sale_id', '=', search), row('destination', '=', search)]),
    );
  const payouts: ConsolePayout[] = [];
  for (const row of await query.execute()) {
    const items = await readItems(db, row.id);
    const itemOutcomes = Object.fromEntries(
      items.map(({ ref, state }) => [ref, possibleOutcomes(row.method, state)]),
    );
    payouts.push({
      ...(await readState(db, row)),
      id: row.id,
      method: row.method === 'paypal' ? 'paypal' : 'stripe',
      saleId: row.sale_id,
      amountCents: row.amount_cents,
      destination: row.destination,
      at: row.created_at.toISOString(),
      outcomes: PAYOUT_OUTCOMES.filter((one) =>
        Object.values(itemOutcomes).some((possible) => possible.includes(one)),
      ),
      itemOutcomes,
    });
  }
  return payouts;
}

async function readAccounts(db: Database): Promise<ConsoleAccount[]> {
  const rows = db.q().selectFrom('sandbox_accounts').selectAll().orderBy('id', 'desc').limit(SHOWN);
  return (await rows.execute()).map((row) => ({
    ...sellerAccount(row),
    name: row.name,
    email: row.email,
    balanceCents: row.balance_cents,
  }));
}

async function readMessages(db: Database): Promise<ConsoleMessage[]> {
  const rows = await db
    .q()
    .selectFrom('sandbox_deliveries')
    .selectAll()
    .where('method', 'in', ['connect', 'paypal'])
    .orderBy('id', 'desc')
    .limit(SHOWN)
    .execute();
  return rows.map((row) => ({
    eventId: row.event_id,
    type: row.type,
    about: row.ref,
    deliveredAt: row.delivered_at?.toISOString() ?? null,
    nextAt: row.next_attempt_at?.toISOString() ?? null,
    error: row.last_error,
  }));
}

/** The forms of the console; `text` reads a field. */
export type ConsoleAction = 'settle' | 'account' | 'pay_out' | 'fund' | 'send_message';
export const CONSOLE_ACTIONS: readonly ConsoleAction[] = [
  'settle',
  'account',
  'pay_out',
  'fund',
  'send_message',
];

/**
 * Carries out a form of the console.
 * @throws PaymentError `not_found`, `conflict`, `invalid`, with a text for developers
 */
export async function performConsoleAction(
  db: Database,
  action: ConsoleAction,
  text: (name: string) => string,
  now: Date,
): Promise<void> {
  const messages = MESSAGE_MODES.find((mode) => mode === text('messages')) ?? 'once';
  switch (action) {
    case 'settle':
      return settle(db, text, now, messages);
    case 'account': {
      const requirement = text('requirement').trim();
      const decision =
        requirement === '' ? ({ active: true } as const) : { active: false as const, requirement };
      return decideAccount(db, text('account'), decision, now, { messages });
    }
    case 'pay_out':
      return payOutSeller(db, text('account'));
    case 'fund': {
      const cents = Math.round(Number(text('dollars').replaceAll(/[$,\s]/g, '')) * 100);
      if (!Number.isSafeInteger(cents) || cents <= 0 || cents > 1_000_000_000_00)
        throw new PaymentError('invalid', 'Enter an amount in dollars.');
      const method = payoutMethods.find((one) => one === text('method')) ?? 'paypal';
      return addFunds(db, defaultPayoutAccount(method), cents, now);
    }
    case 'send_message':
      return sendAgain(db, text('event'), now);
  }
}

function settle(
  db: Database,
  text: (name: string) => string,
  now: Date,
  messages: MessageMode,
): Promise<void> {
  const outcome = PAYOUT_OUTCOMES.find((one) => one === text('outcome'));
  if (!outcome) throw new PaymentError('invalid', 'There is no such outcome.');
  const item = text('item');
  return item === ''
    ? settlePayout(db, text('key'), outcome, now, { messages })
    : settlePayoutItem(db, item, outcome, now, { messages });
}

/** Sends a message now: one that was held back or waits, or once more one that has arrived. */
async function sendAgain(db: Database, eventId: string, now: Date): Promise<void> {
  await db.tx(async () => {
    const found = await db
      .q()
      .updateTable('sandbox_deliveries')
      .set({ next_attempt_at: now })
      .where('event_id', '=', eventId)
      .where('method', 'in', ['connect', 'paypal'])
      .executeTakeFirst();
    if (found.numUpdatedRows === 0n) throw new PaymentError('not_found', 'There is no such message.');
    await enqueue({ db }, deliverWebhooksJob, {});
  });
}
