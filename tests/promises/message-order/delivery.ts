import { processMessages } from '#features/payments/commands/process-messages.ts';
import { reconcileSales } from '#features/payments/commands/reconcile-sales.ts';
import type { Payments } from '#gateways/payments/port.ts';
import { mulberry32 } from '#illustrator/random.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY, HOUR, MINUTE } from '#platform/durations.ts';
import { withPortOverrides } from '#tests/support/database/crash-injection.ts';
import type { RewindableDatabase } from '#tests/support/database/rewindable-database.ts';
import { ledgerHash } from '../money-checks.ts';
import type { Report, RunOptions } from '../report.ts';
import { createScenario, deliver, runJobs, type SentMessage, sentMessages } from '../scenario.ts';
import { randomOrder } from './random-order.ts';
import { pendingRefund, type Sequence, type SequenceContext, type SequenceStep } from './sequences.ts';

interface OrderOptions extends RunOptions {
  /** wraps the providers that our code queries while it processes a message */
  wrapPayments?: (payments: Payments, message: SentMessage) => Payments;
}

/** A sequence in progress. */
interface Progress extends SequenceContext {
  rewinding: RewindableDatabase;
  sequence: Sequence;
  /** number of steps that have happened */
  stepsDone: number;
  wrapPayments: NonNullable<OrderOptions['wrapPayments']>;
}

/** The final state, for comparison: sale, property, ledger, refunds. */
type FinalState = string;

/**
 * Tries every order in which the messages of a sequence can arrive, each once, twice or never: after one reconciliation all
 * must have the same result (R3). For a message that has not been sent yet, its cause happens first. Orders are explored as a
 * tree, so that common prefixes run once; at most `size` of them.
 */
export async function everyOrder(
  db: Database,
  sequence: Sequence,
  { size, seed, wrapPayments = (payments) => payments }: OrderOptions,
): Promise<Report> {
  const { progress, expected, messages, done } = await prepareSequence(db, sequence, wrapPayments);
  const random = mulberry32(seed);
  const findings: string[] = [];
  const left = Array.from({ length: messages }, () => 2);
  let trials = 0;
  const enough = () => trials >= size || findings.length >= 5;
  const visit = async (order: number[], changed: boolean): Promise<void> => {
    if (enough()) return;
    trials += 1;
    // After a duplicate that changed nothing, the state has been compared before.
    const actual = changed ? await withRollback(progress, () => finish(progress)) : expected;
    if (actual !== expected) findings.push(difference(sequence, order, expected, actual));
    for (const message of left.keys()) {
      const times = left[message] ?? 0;
      if (times === 0) continue;
      left[message] = times - 1;
      await withRollback(progress, async () => {
        const changed = await deliverAfterCause(progress, message, random() < 0.5);
        await visit([...order, message], changed);
      });
      left[message] = times;
    }
  };
  try {
    await visit([], true);
    return { trials, findings };
  } finally {
    await done();
  }
}

/** The same for random orders of longer sequences, each message up to five times, while the provider proceeds. */
export async function randomOrders(
  db: Database,
  sequence: Sequence,
  { size, seed, wrapPayments = (payments) => payments }: OrderOptions,
): Promise<Report> {
  const { progress, expected, messages, done } = await prepareSequence(db, sequence, wrapPayments);
  const random = mulberry32(seed);
  const findings: string[] = [];
  let trials = 0;
  try {
    for (; trials < size && findings.length < 5; trials += 1) {
      const order = randomOrder(messages, 5, random);
      const actual = await withRollback(progress, async () => {
        for (const message of order) {
          while (random() < 0.3 && (await performNextStep(progress, false)));
          await deliverAfterCause(progress, message, random() < 0.5);
        }
        return finish(progress);
      });
      if (actual !== expected) findings.push(difference(sequence, order, expected, actual));
    }
    return { trials, findings };
  } finally {
    await done();
  }
}

const difference = ({ name }: Sequence, order: number[], expected: FinalState, actual: FinalState) =>
  `${name}, messages ${order.join(' ') || 'none'}: ${actual} instead of ${expected}`;

async function prepareSequence(db: Database, sequence: Sequence, wrapPayments: Progress['wrapPayments']) {
  const { saleScenario: scenario, rewinding } = await createScenario(db);
  const context = await scenario.checkout(scenario.buyer, await scenario.createListing(), sequence.method);
  await rewinding.mark();
  const progress: Progress = { scenario, rewinding, ...context, sequence, stepsDone: 0, wrapPayments };
  // The expected result: every message once, as soon as it is sent, with real provider answers.
  const [expected, messages] = await withRollback(progress, async () => {
    let brought = 0;
    for (;;) {
      const sent = await sentMessages(scenario.db);
      for (; brought < sent.length; brought += 1)
        await deliverAfterCause({ ...progress, wrapPayments: (same) => same }, brought, true);
      if (!(await performNextStep(progress, true))) return [await finish(progress), brought] as const;
    }
  });
  return { progress, expected, messages, done: rewinding.rollbackAll };
}

/** Runs work and rolls it back, including the clock. */
async function withRollback<T>(progress: Progress, does: () => Promise<T>): Promise<T> {
  const { scenario, rewinding, stepsDone } = progress;
  const began = scenario.clock.now().getTime();
  try {
    return await rewinding.withRollback(does);
  } finally {
    progress.stepsDone = stepsDone;
    scenario.clock.advance(began - scenario.clock.now().getTime());
  }
}

/**
 * Delivers a message, after its cause has happened; pending messages are processed `now` or with a later one.
 * @returns false when nothing has changed
 */
async function deliverAfterCause(progress: Progress, message: number, now: boolean): Promise<boolean> {
  const { scenario, wrapPayments, stepsDone } = progress;
  for (;;) {
    const sent = (await sentMessages(scenario.db))[message];
    if (sent) {
      const payments = wrapPayments(scenario.payments, sent);
      const stored = await deliver(scenario, sent, { payments });
      const works = now && (stored || (await hasPendingMessages(scenario.db)));
      if (works) await processMessages({ ...scenario.system, payments });
      return stored || works || progress.stepsDone !== stepsDone;
    }
    // The sequence took another turn and has no such message.
    if (!(await performNextStep(progress, true))) return true;
  }
}

/**
 * Performs the next step. If its precondition is missing, processes pending messages and, with `mayReconcile`, reconciles.
 * @returns false when no step is possible
 */
async function performNextStep(progress: Progress, mayReconcile: boolean): Promise<boolean> {
  const { scenario, sequence } = progress;
  const next = sequence.steps[progress.stepsDone];
  if (!next) return false;
  if (!(await isReady(progress, next))) {
    await runJobs(scenario.system, scenario.payments);
    if (!(await isReady(progress, next))) {
      if (!mayReconcile) return false;
      await reconcile(progress);
      if (!(await isReady(progress, next))) return false;
    }
  }
  progress.stepsDone += 1;
  await next.does(progress);
  return true;
}

async function isReady(context: SequenceContext, { needs, awaits }: SequenceStep): Promise<boolean> {
  if (needs) {
    const { frozen_at } = await context.scenario.sale(context.saleId);
    if (frozen_at !== null || (await context.scenario.state(context.saleId)) !== needs) return false;
  }
  return !awaits || (await pendingRefund(context)) !== null;
}

async function reconcile({ scenario }: SequenceContext, after = HOUR): Promise<void> {
  scenario.clock.advance(after + MINUTE);
  await reconcileSales(scenario.system);
  await runJobs(scenario.system, scenario.payments);
}

const hasPendingMessages = async (db: Database): Promise<boolean> =>
  (await db
    .q()
    .selectFrom('provider_events')
    .select('id')
    .where('status', '=', 'received')
    .executeTakeFirst()) !== undefined;

/** Performs the remaining steps without further messages, then reconciles once. */
async function finish(progress: Progress): Promise<FinalState> {
  const { scenario, saleId } = progress;
  while (await performNextStep(progress, true));
  await reconcile(progress, DAY);
  const { property_id } = await scenario.sale(saleId);
  const refunds = (await scenario.refunds(saleId)).map(({ status }) => status);
  return [
    await scenario.state(saleId),
    await scenario.propertyStatus(property_id),
    await ledgerHash(scenario.db, saleId),
    ...refunds,
  ].join(' ');
}

/** Simulates trusting a message's type instead of asking the provider: `…completed` and `…succeeded` mean paid. */
export const trustingMessageTypes = (payments: Payments, { type }: SentMessage): Payments =>
  withPortOverrides(payments, (port) => ({
    async getCheckout(ref) {
      const answer = await port.getCheckout(ref);
      const status = /completed|succeeded|success/.test(type)
        ? 'paid'
        : /failed/.test(type)
          ? 'failed'
          : /expired/.test(type)
            ? 'expired'
            : answer.status;
      return { ...answer, status };
    },
  }));
