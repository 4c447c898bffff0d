import { processMessages } from '#features/purchases/commands/process-messages.ts';
import { reconcileSales } from '#features/purchases/commands/sweep-sales.ts';
import type { Payments } from '#gateways/payments/port.ts';
import type { Database } from '#platform/db/database.ts';
import { eachPort } from '#tests/support/dying-database.ts';
import { ledgerHash } from '../evidence.ts';
import { type Report, randomFrom, type Size } from '../report.ts';
import {
  DAY,
  deliver,
  HOUR,
  MINUTE,
  type Rehearsal,
  rehearsal,
  type Sent,
  sentMessages,
  work,
} from '../world.ts';
import { anyOrder } from './orders.ts';
import { type Happening, pendingRefund, type Scene, type Walk } from './walks.ts';

export interface Choices extends Size {
  /** what our code hears of the providers while it works on a message; in place of what they answer */
  hearing?: (payments: Payments, message: Sent) => Payments;
}

/** A walk that is being walked. */
interface Progress extends Scene, Rehearsal {
  walk: Walk;
  /** how many of its happenings have happened */
  happened: number;
  hearing: NonNullable<Choices['hearing']>;
}

/** How it ends, for comparing: states, property, ledger, refunds. */
type End = string;

/**
 * Every order in which the messages of a walk can arrive, each once, twice or never: after one reconciliation all of them
 * have led to the same (R3). A message that does not exist yet first lets happen what it tells of. Goes through the orders as
 * through a tree, so that what they begin with alike is done once; at most `size` of them.
 */
export async function everyOrder(
  db: Database,
  walk: Walk,
  { size, seed, until = Number.POSITIVE_INFINITY, hearing = (payments) => payments }: Choices,
): Promise<Report> {
  const { progress, expected, messages, done } = await begin(db, walk, hearing);
  const random = randomFrom(seed);
  const findings: string[] = [];
  const left = Array.from({ length: messages }, () => 2);
  let trials = 0;
  const enough = () => trials >= size || findings.length >= 5 || Date.now() >= until;
  const visit = async (order: number[], changed: boolean): Promise<void> => {
    if (enough()) return;
    trials += 1;
    // Where the last message was a repetition that changed nothing, everything is as it was compared before.
    const reached = changed ? await inVain(progress, () => finish(progress)) : expected;
    if (reached !== expected) findings.push(difference(walk, order, expected, reached));
    for (const message of left.keys()) {
      const times = left[message] ?? 0;
      if (times === 0) continue;
      left[message] = times - 1;
      await inVain(progress, async () => {
        const changed = await bring(progress, message, random() < 0.5);
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

/** The same for random orders of longer walks, each message one to five times or never, while the provider goes on. */
export async function randomOrders(
  db: Database,
  walk: Walk,
  { size, seed, until = Number.POSITIVE_INFINITY, hearing = (payments) => payments }: Choices,
): Promise<Report> {
  const { progress, expected, messages, done } = await begin(db, walk, hearing);
  const random = randomFrom(seed);
  const findings: string[] = [];
  let trials = 0;
  try {
    for (; trials < size && findings.length < 5 && Date.now() < until; trials += 1) {
      const order = anyOrder(messages, 5, random);
      const reached = await inVain(progress, async () => {
        for (const message of order) {
          while (random() < 0.3 && (await happens(progress, false)));
          await bring(progress, message, random() < 0.5);
        }
        return finish(progress);
      });
      if (reached !== expected) findings.push(difference(walk, order, expected, reached));
    }
    return { trials, findings };
  } finally {
    await done();
  }
}

const difference = ({ name }: Walk, order: number[], expected: End, reached: End) =>
  `${name}, messages ${order.join(' ') || 'none'}: ${reached} instead of ${expected}`;

async function begin(db: Database, walk: Walk, hearing: Progress['hearing']) {
  const rehearsed = await rehearsal(db);
  const { bench, rewinding } = rehearsed;
  const scene = await bench.checkout(bench.buyer, await bench.house(), walk.rail);
  await rewinding.mark();
  const progress: Progress = { ...rehearsed, ...scene, walk, happened: 0, hearing };
  // As it should be: every message once, as soon as it is there, and believed in nothing.
  const [expected, messages] = await inVain(progress, async () => {
    let brought = 0;
    for (;;) {
      const sent = await sentMessages(bench.db);
      for (; brought < sent.length; brought += 1)
        await bring({ ...progress, hearing: (same) => same }, brought, true);
      if (!(await happens(progress, true))) return [await finish(progress), brought] as const;
    }
  });
  return { progress, expected, messages, done: rewinding.end };
}

/** What is done and then taken back, the clock with it. */
async function inVain<T>(progress: Progress, does: () => Promise<T>): Promise<T> {
  const { bench, rewinding, happened } = progress;
  const began = bench.clock.now().getTime();
  try {
    return await rewinding.inVain(does);
  } finally {
    progress.happened = happened;
    bench.clock.advance(began - bench.clock.now().getTime());
  }
}

/**
 * Delivers a message, after what it tells of has happened; what waits is worked on `now` or with a later one.
 * @returns false when nothing has changed
 */
async function bring(progress: Progress, message: number, now: boolean): Promise<boolean> {
  const { bench, hearing, happened } = progress;
  for (;;) {
    const sent = (await sentMessages(bench.db))[message];
    if (sent) {
      const payments = hearing(bench.payments, sent);
      const stored = await deliver(bench, sent, { payments });
      const works = now && (stored || (await someWait(bench.db)));
      if (works) await processMessages(bench.system, payments);
      return stored || works || progress.happened !== happened;
    }
    // A course that has taken another turn has no such message.
    if (!(await happens(progress, true))) return true;
  }
}

/**
 * Lets the next thing happen. What of ours it waits for is brought about by waiting messages, and `whatever` it takes by a
 * reconciliation.
 * @returns false when nothing more happens
 */
async function happens(progress: Progress, whatever: boolean): Promise<boolean> {
  const { bench, walk } = progress;
  const next = walk.happenings[progress.happened];
  if (!next) return false;
  if (!(await isReady(progress, next))) {
    await work(bench.system, bench.payments);
    if (!(await isReady(progress, next))) {
      if (!whatever) return false;
      await reconcile(progress);
      if (!(await isReady(progress, next))) return false;
    }
  }
  progress.happened += 1;
  await next.does(progress);
  return true;
}

async function isReady(scene: Scene, { needs, asked }: Happening): Promise<boolean> {
  if (needs) {
    const { frozen_at } = await scene.bench.sale(scene.saleId);
    if (frozen_at !== null || (await scene.bench.state(scene.saleId)) !== needs) return false;
  }
  return !asked || (await pendingRefund(scene)) !== null;
}

async function reconcile({ bench }: Scene, after = HOUR): Promise<void> {
  bench.clock.advance(after + MINUTE);
  await reconcileSales(bench.system, bench.payments);
  await work(bench.system, bench.payments);
}

const someWait = async (db: Database): Promise<boolean> =>
  (await db
    .q()
    .selectFrom('provider_events')
    .select('id')
    .where('status', '=', 'received')
    .executeTakeFirst()) !== undefined;

/** The rest of the walk, without another message, and one reconciliation. */
async function finish(progress: Progress): Promise<End> {
  const { bench, saleId } = progress;
  while (await happens(progress, true));
  await reconcile(progress, DAY);
  const { property_id } = await bench.sale(saleId);
  const refunds = (await bench.refunds(saleId)).map(({ status }) => status);
  return [
    await bench.state(saleId),
    await bench.property(property_id),
    await ledgerHash(bench.db, saleId),
    ...refunds,
  ].join(' ');
}

/** What a shop hears that believes the names of messages in place of asking: `…completed` and `…succeeded` mean paid. */
export const believingMessages = (payments: Payments, { type }: Sent): Payments =>
  eachPort(payments, (port) => ({
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
