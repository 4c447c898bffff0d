import { PaymentError } from '#gateways/payments/port.ts';
import { payoutsOf } from '#gateways/payouts/open.ts';
import { type Payouts, type PayoutsPort, payoutMethods } from '#gateways/payouts/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import {
  type CrashInjector,
  crashingDatabase,
  createCrashInjector,
  isSimulatedCrash,
} from '#tests/support/database/crash-injection.ts';
import type { PayoutMarket } from './market.ts';

/** How many processes die, of those that have faults. */
const DIES = 0.6;
/** They die within this many steps: as often in the first ten as in the next ninety, so that short work dies, too. */
const MOST_STEPS = 5_000;
/** Calls whose request is lost, and as many whose answer is. */
const LOST = 0.04;

/** A process that works as it should. */
export const soundProcess = ({
  saleScenario,
  wrapPayouts,
}: PayoutMarket): CtxWith<'payments' | 'payouts'> => ({
  ...saleScenario.system,
  payouts: wrapPayouts(saleScenario.payouts),
});

/** A process that may die before any statement and after any commit, and that providers may not answer. */
export function faultyProcess(market: PayoutMarket, random: () => number): CtxWith<'payments' | 'payouts'> {
  const step = random() < DIES ? Math.ceil(MOST_STEPS ** random()) : null;
  const sound = soundProcess(market);
  return {
    ...sound,
    db: crashingDatabase(market.db, counted(createCrashInjector(step), market)),
    payouts: unreliable(sound.payouts, random, market),
  };
}

function counted(injector: CrashInjector, { counts }: PayoutMarket): CrashInjector {
  return {
    ...injector,
    step(what) {
      const wasAlive = !injector.crashed();
      try {
        injector.step(what);
      } finally {
        if (wasAlive && injector.crashed()) counts.deaths += 1;
      }
    },
  };
}

function unreliable(payouts: Payouts, random: () => number, { counts }: PayoutMarket): Payouts {
  const lose = () => {
    if (random() >= LOST) return;
    counts['calls without an answer'] += 1;
    throw new PaymentError('unavailable', 'No answer came');
  };
  const call = async <T>(work: () => Promise<T>): Promise<T> => {
    lose();
    const answer = await work();
    lose();
    return answer;
  };
  return withPayoutPorts(payouts, (port) => ({
    send: (request) => call(() => port.send(request)),
    find: (payout) => call(() => port.find(payout)),
    balance: () => call(() => port.balance()),
  }));
}

/** The same providers with some of their methods replaced. */
export function withPayoutPorts(
  payouts: Payouts,
  change: (port: PayoutsPort) => Partial<PayoutsPort>,
): Payouts {
  return payoutsOf(
    payoutMethods.flatMap((method) => {
      const port = payouts.forMethod(method);
      return port ? [{ ...port, ...change(port) }] : [];
    }),
  );
}

/** Whether an error is one of the faults above, rather than one of ours. */
export const isPlayed = (error: unknown): boolean => isUnanswered(error) || isSimulatedCrash(error);

/** Does something that is tried again later when the provider does not answer. */
export async function unlessUnanswered(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isUnanswered(error)) throw error;
  }
}

const isUnanswered = (error: unknown) => error instanceof PaymentError && error.code === 'unavailable';
