import * as fc from 'fast-check';
import type { Payments } from '#gateways/payments/port.ts';
import { closeSandboxDispute } from '#gateways/payments/sandbox/banks.ts';
import type { Database } from '#platform/db/database.ts';
import { moneyFindings } from '../evidence.ts';
import type { Report, Size } from '../report.ts';
import { rehearsal, rest } from '../world.ts';
import { steps } from './steps.ts';
import { type World, worldOf } from './world.ts';

export interface Choices extends Size {
  /** the providers as the histories meet them */
  through?: (payments: Payments) => Payments;
  /** most steps of one history */
  steps?: number;
  /** false ends with the first finding as it is */
  shrink?: boolean;
}

/**
 * Random histories of two buyers and two houses, each followed by a time without faults, after which the money must be where
 * it belongs (R2). Reports the shortest history found for which it is not.
 */
export async function moneyBack(
  db: Database,
  { size, seed, until, through = (payments) => payments, steps: most = 20, shrink = true }: Choices,
): Promise<Report> {
  const { rewinding, bench } = await rehearsal(db);
  try {
    const houses = [await bench.house({ price_cents: 640_000_00 }), await bench.house()];
    await rewinding.mark();
    const began = bench.clock.now().getTime();
    const history = fc.asyncProperty(
      fc.commands(steps, { maxCommands: most, size: 'max' }),
      async (commands) => {
        await rewinding.rewind();
        bench.clock.advance(began - bench.clock.now().getTime());
        const world = worldOf(bench, houses, through(bench.payments));
        await fc.asyncModelRun(() => ({ model: { begun: 0 }, real: world }), commands);
        await calm(world);
        await rest(bench, { payments: through(bench.payments) });
        const found = [...world.errors, ...(await moneyFindings(bench))];
        if (found.length > 0) throw new Error(found.join('\n'));
      },
    );
    const result = await fc.check(history, {
      numRuns: size,
      seed,
      endOnFailure: !shrink,
      ...(until && { interruptAfterTimeLimit: Math.max(1, until - Date.now()) }),
    });
    const error = result.errorInstance instanceof Error ? result.errorInstance.message : 'failed';
    return {
      trials: result.numRuns,
      findings: result.failed && !result.interrupted ? [`${error}\nafter: ${result.counterexample}`] : [],
    };
  } finally {
    await rewinding.end();
  }
}

/** Nothing goes wrong any more, and banks decide what they have open. */
async function calm({ bench, faults }: World): Promise<void> {
  faults.length = 0;
  const rows = await bench.db.q().selectFrom('sandbox_checkouts').select(['ref', 'dispute']).execute();
  for (const { ref, dispute } of rows)
    if ((dispute as { status?: string } | null)?.status === 'open')
      await closeSandboxDispute(bench.db, ref, 'won', bench.clock.now());
}
