import { PaymentError } from '#gateways/payments/port.ts';
import { payoutsOf } from '#gateways/payouts/open.ts';
import { type Payouts, type PayoutsPort, payoutMethods } from '#gateways/payouts/port.ts';
import { decideAccount } from '#gateways/payouts/sandbox/accounts.ts';
import {
  type PayoutOutcome,
  possibleOutcomes,
  processDuePayouts,
  settlePayoutItem,
} from '#gateways/payouts/sandbox/settlement.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { crashingDatabase, createCrashInjector } from '#tests/support/database/crash-injection.ts';
import type { SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import type { PayoutMarket } from './payout-market.ts';

/** Processes that die do so within this many steps. */
const STEPS = 400;
const DIES = 0.6;
/** Calls whose request, and whose answer, is lost. */
const LOST = 0.06;

/** One of our processes: it may die at any statement, and providers may not answer it. */
export function faultyProcess(
  bench: SaleScenario,
  random: () => number,
  isFaulty: boolean,
): CtxWith<'payouts'> {
  if (!isFaulty) return bench.system;
  const step = random() < DIES ? 1 + Math.floor(random() * STEPS) : null;
  return {
    ...bench.system,
    db: crashingDatabase(bench.db, createCrashInjector(step)),
    payouts: unreliable(bench.payouts, random),
  };
}

function unreliable(payouts: Payouts, random: () => number): Payouts {
  const lost = () => new PaymentError('unavailable', 'No answer came');
  const call = async <T>(work: () => Promise<T>): Promise<T> => {
    if (random() < LOST) throw lost();
    const answer = await work();
    if (random() < LOST) throw lost();
    return answer;
  };
  const ports = payoutMethods.flatMap((method): PayoutsPort[] => {
    const port = payouts.forMethod(method);
    if (!port) return [];
    return [
      {
        ...port,
        send: (request) => call(() => port.send(request)),
        find: (query) => call(() => port.find(query)),
        balance: () => call(() => port.balance()),
      },
    ];
  });
  return payoutsOf(ports);
}

/** How often each thing happens to a part of a payout in a day. */
const chances: Readonly<Record<PayoutOutcome, number>> = {
  arrive: 0.5,
  fail: 0.05,
  hold: 0.05,
  block: 0.03,
  unclaim: 0.05,
  return: 0.04,
  refund: 0.02,
  reverse: 0.02,
};

/** What happens at the providers in a day: payouts arrive, fail, are held and come back; an account is closed and opened again. */
export async function happenings({ bench, db, accounts }: PayoutMarket, random: () => number): Promise<void> {
  const account = accounts[Math.floor(random() * accounts.length)];
  const decide = (decision: Parameters<typeof decideAccount>[2]) =>
    account === undefined ? undefined : decideAccount(db, account, decision, bench.clock.now());
  await decide({ active: false, requirement: 'A passport is missing.' });
  for (const { ref, state, method } of await allItems(db)) {
    const possible = possibleOutcomes(method, state);
    const outcome = possible[Math.floor(random() * possible.length)];
    if (outcome && random() < chances[outcome]) await settle(bench, ref, outcome);
  }
  await processDuePayouts(db, bench.clock.now());
  await decide({ active: true });
}

/** Nothing fails any more. */
export async function letArrive({ bench, db, accounts }: PayoutMarket): Promise<void> {
  for (const account of accounts) await decideAccount(db, account, { active: true }, bench.clock.now());
  for (const { ref, state, method } of await allItems(db))
    if (possibleOutcomes(method, state).includes('arrive')) await settle(bench, ref, 'arrive');
}

const allItems = (db: PayoutMarket['db']) =>
  db
    .q()
    .selectFrom('sandbox_payout_items as i')
    .innerJoin('sandbox_payouts as p', 'p.id', 'i.payout_id')
    .select(['i.ref', 'i.state', 'p.method'])
    .orderBy('i.id')
    .execute();

/** Something else may have happened to it meanwhile. */
async function settle({ db, clock }: SaleScenario, ref: string, outcome: PayoutOutcome): Promise<void> {
  try {
    await settlePayoutItem(db, ref, outcome, clock.now());
  } catch (error) {
    if (!(error instanceof PaymentError)) throw error;
  }
}
