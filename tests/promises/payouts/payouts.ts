import { runPayoutSchedule } from '#features/payout-schedule/commands/run-schedule.ts';
import { askPayouts } from '#features/payouts/commands/ask-payouts.ts';
import type { Payouts } from '#gateways/payouts/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { mulberry32 } from '#illustrator/random.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY, HOUR } from '#platform/durations.ts';
import type { Report, RunOptions } from '../report.ts';
import { followMessages, workJobs } from './background.ts';
import { faultyProcess, isPlayed, soundProcess } from './faults.ts';
import { payoutFindings } from './findings.ts';
import { createPayoutMarket, type PayoutMarket } from './market.ts';
import { decideRuns, processSome, retryFailed } from './people.ts';
import { happenings, letArrive } from './provider-days.ts';

/** Days in which processes die, calls are not answered and payouts come back; then everything works again. */
const FAULTY_DAYS = 8;
/** Findings that end a run early. */
const ENOUGH = 5;

interface PayoutsOptions extends RunOptions {
  /** Wraps the providers, for instance to break them. */
  wrapPayouts?: (payouts: Payouts) => Payouts;
  /** days after which every seller has to be paid once everything works */
  soundDays?: number;
}

/**
 * Pays the sellers of released sales by schedule and by two administrators at once, in several processes that die at any statement
 * and call providers that do not answer, while payouts fail, are blocked and come back. One trial is one sale. In the end the
 * provider has paid each seller exactly what the ledger said at the start, once, and its books equal ours to the cent.
 */
export async function payEveryone(
  db: Database,
  { size, seed, wrapPayouts = (payouts) => payouts, soundDays = 20 }: PayoutsOptions,
): Promise<Report & Pick<PayoutMarket, 'counts'>> {
  const random = mulberry32(seed);
  const market = await createPayoutMarket(db, { sales: size, random, wrapPayouts });
  const findings: string[] = [];
  for (let day = 0; day < FAULTY_DAYS && findings.length < ENOUGH; day += 1)
    findings.push(...(await faultyDay(market, random)));
  let left = soundDays;
  do {
    left -= 1;
    await soundDay(market, random);
  } while (left > 0 && (await isUnsettled(db)));
  if (await isUnsettled(db))
    findings.push(`not every seller was paid ${soundDays} days after the last fault`);
  findings.push(...(await payoutFindings(market)));
  return { trials: size, findings, counts: market.counts };
}

/** Everything that goes on in a day, at once and in any order. @returns what failed otherwise than by the faults that are played */
async function faultyDay(market: PayoutMarket, random: () => number): Promise<string[]> {
  advanceToRunTime(market);
  const own = () => mulberry32(Math.floor(random() * 2 ** 32));
  /** Has a process of its own do something. */
  const by =
    (
      work: (ctx: CtxWith<'payments' | 'payouts'>, random: () => number) => Promise<unknown>,
      actor?: UserActor,
    ) =>
    () => {
      const chance = own();
      const ctx = faultyProcess(market, chance);
      return work(actor ? { ...ctx, actor } : ctx, chance);
    };
  const morning = [
    by(runPayoutSchedule),
    by(runPayoutSchedule),
    by(workJobs),
    by(workJobs),
    by(askPayouts),
    ...administratorsOf(market).flatMap(({ actor, other }) => [
      by((ctx, chance) => processSome(ctx, { share: 0.2, approverId: other.id, random: chance }), actor),
      by((ctx, chance) => decideRuns(ctx, { declined: 0.2, random: chance }), actor),
      by(retryFailed, actor),
    ]),
    () => happenings(market, own()),
  ];
  const evening = [
    by(workJobs),
    by(workJobs),
    by((ctx, chance) => followMessages(ctx, { share: 0.3, random: chance })),
  ];
  return [...(await atOnce(shuffled(morning, random))), ...(await atOnce(evening))];
}

/** Everything works: what is left is paid, by the schedule or by an administrator, and arrives. */
async function soundDay(market: PayoutMarket, random: () => number): Promise<void> {
  advanceToRunTime(market);
  const ctx = soundProcess(market);
  for (const { actor, other } of administratorsOf(market)) {
    await retryFailed({ ...ctx, actor });
    await runPayoutSchedule(ctx);
    await processSome({ ...ctx, actor }, { share: 1, approverId: other.id, random });
    await decideRuns({ ...ctx, actor: other }, { declined: 0, random });
    await workJobs(ctx);
  }
  await letArrive(market);
  await followMessages(ctx, { share: 1, random });
}

/** 02:00 UTC of the next day. */
function advanceToRunTime({ saleScenario: { clock } }: PayoutMarket): void {
  clock.advance(DAY - ((clock.now().getTime() - 2 * HOUR) % DAY));
}

const administratorsOf = ({ administrators: [one, two] }: PayoutMarket) => [
  { actor: one, other: two },
  { actor: two, other: one },
];

async function atOnce(work: readonly (() => Promise<unknown>)[]): Promise<string[]> {
  const outcomes = await Promise.allSettled(work.map((one) => one()));
  return outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' && !isPlayed(outcome.reason)
      ? [`failed: ${outcome.reason instanceof Error ? outcome.reason.stack : String(outcome.reason)}`]
      : [],
  );
}

const shuffled = <T>(list: readonly T[], random: () => number): T[] =>
  list
    .map((one) => ({ one, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one);

/** Whether a seller still waits for money. */
async function isUnsettled(db: Database): Promise<boolean> {
  const waiting = await db
    .q()
    .selectFrom('property_sales')
    .select('id')
    .where('payout_status', 'in', ['pending', 'processing', 'failed'])
    .limit(1)
    .executeTakeFirst();
  return waiting !== undefined;
}
