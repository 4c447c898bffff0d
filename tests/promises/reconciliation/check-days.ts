import fc from 'fast-check';
import type { Report, RunOptions } from '../report.ts';
import { daysArbitrary, daysOf } from './days.ts';
import { type Seed, seeds } from './seeds.ts';
import { simulate } from './simulation.ts';

/** Days that are generated and reconciled as one. */
const STRETCH = 10;

/** What a failed run found, and with which days. */
const reportOf = <T>(run: fc.RunDetails<T>): string =>
  `${run.errorInstance instanceof Error ? run.errorInstance.message : 'Found something'}\n${fc.defaultReportMessage(run) ?? ''}`;

/** Volume in cents, all of it and what was matched within a day. */
interface Volume {
  all: number;
  prompt: number;
}

/**
 * R7: on generated days on which provider and books agree, nothing is found and everything is matched in the end. `size` is
 * the number of days.
 */
export function checkCleanDays({ size, seed }: RunOptions): Report & { volume: Volume } {
  const volume: Volume = { all: 0, prompt: 0 };
  const findings: string[] = [];
  fc.assert(
    fc.property(daysArbitrary(STRETCH), (plan) => {
      const outcome = simulate(daysOf(plan));
      volume.all += outcome.volumeCents;
      volume.prompt += outcome.promptCents;
      const { bookings, postings } = outcome.left;
      return outcome.findings.length + bookings.length + postings.length === 0;
    }),
    {
      seed,
      numRuns: Math.ceil(size / STRETCH),
      reporter: (run) => void (run.failed && findings.push(reportOf(run))),
    },
  );
  return { trials: Math.ceil(size / STRETCH) * STRETCH, findings, volume };
}

const seedArbitrary: fc.Arbitrary<Seed> = fc.record({
  minute: fc.integer({ min: 0, max: STRETCH * 1_440 }),
  totalCents: fc.integer({ min: 1_000, max: 99_999_999 }),
  feeCents: fc.integer({ min: 0, max: 900 }),
  offCents: fc.oneof(fc.integer({ min: -900, max: -1 }), fc.integer({ min: 1, max: 900 })),
});

/** R7: one break of every kind among generated days is found, with its kind and amounts, and nothing else is. */
export function checkSeededBreaks({ size, seed }: RunOptions): Report {
  const findings: string[] = [];
  const kinds = Object.entries(seeds);
  const runs = Math.ceil(size / kinds.length);
  for (const [kind, plant] of kinds)
    fc.assert(
      fc.property(daysArbitrary(STRETCH), seedArbitrary, (plan, facts) => {
        const days = daysOf(plan);
        const expected = plant(days, facts);
        const found = simulate(days).findings.map(({ kind: is, saleId, theirsCents, oursCents }) => ({
          kind: is,
          saleId,
          theirsCents,
          oursCents,
        }));
        if (JSON.stringify(found) !== JSON.stringify([expected]))
          throw new Error(`${kind}: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`);
      }),
      {
        seed,
        numRuns: runs,
        reporter: (run) => void (run.failed && findings.push(reportOf(run))),
      },
    );
  return { trials: runs * kinds.length, findings };
}

/** Days per seed, between which the time is looked at. */
const CHUNK = 10_000;
/** R7: the share of the volume that is matched within a day. */
const PROMPT = 0.9999;

/** Clean days in chunks, and as many with a break among them; `size` is the number of days of either. */
export function checkDays({ size, seed }: RunOptions): Report {
  const findings: string[] = [];
  const volume: Volume = { all: 0, prompt: 0 };
  let trials = 0;
  for (let chunk = 0; trials < size && findings.length === 0; chunk += 1) {
    const part = { size: Math.min(CHUNK, size - trials), seed: seed + chunk };
    const clean = checkCleanDays(part);
    const seeded = checkSeededBreaks({ ...part, size: part.size / STRETCH });
    volume.all += clean.volume.all;
    volume.prompt += clean.volume.prompt;
    trials += clean.trials;
    findings.push(...clean.findings, ...seeded.findings);
  }
  if (volume.prompt < volume.all * PROMPT)
    findings.push(`only ${volume.prompt} of ${volume.all} cents were matched within a day`);
  return { trials, findings };
}
