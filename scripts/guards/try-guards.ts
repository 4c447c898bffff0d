import type { Guard } from './guard.ts';
import type { Outcome } from './run-tests.ts';
import type { GuardWorker } from './start-worker.ts';
import type { Trial } from './trial.ts';

const TRIALS_AT_ONCE = 16;

interface Pending {
  guard: Guard;
  rounds: Trial[];
  reload: boolean;
  /** what the rounds so far have shown */
  outcome: Outcome;
  milliseconds: number;
}

/** What came of switching a guard off; `reload`: modules were loaded anew for it. */
export type Tried = Outcome & { milliseconds: number; reload: boolean };

/**
 * Switches guards off, many in one process, and calls `onTried` once for each.
 * @param roundsFor the trials of a guard, one after the other until one notices it
 */
export async function tryGuards(
  guards: readonly Guard[],
  roundsFor: (guard: Guard) => Trial[],
  workers: readonly GuardWorker[],
  onTried: (guard: Guard, tried: Tried) => void,
): Promise<void> {
  let pending = guards.map((guard): Pending => {
    const rounds = roundsFor(guard);
    const message = rounds.length === 0 ? 'no test passes it' : undefined;
    const reload = rounds.some((trial) => trial.reload);
    return { guard, rounds, reload, outcome: { kind: 'survived', message }, milliseconds: 0 };
  });
  while (pending.length > 0) {
    const open: Pending[] = [];
    const queue = batchesOf(pending.filter(({ rounds }) => rounds.length > 0));
    const report = ({ guard, outcome, milliseconds, reload }: Pending) =>
      onTried(guard, { ...outcome, milliseconds, reload });
    for (const one of pending) if (one.rounds.length === 0) report(one);
    const ended = (one: Pending, outcome: Outcome) => {
      one.rounds.shift();
      if (outcome.kind !== 'survived') one.outcome = outcome;
      if (outcome.kind !== 'noticed' && one.rounds.length > 0) open.push(one);
      else report(one);
    };
    await Promise.all(
      workers.map(async (worker) => {
        for (let batch = queue.shift(); batch; batch = queue.shift())
          queue.unshift(...(await tryBatch(batch, worker, ended)));
      }),
    );
    pending = open;
  }
}

/** Trials of the same files of tests together: what they load is loaded once. */
function batchesOf(pending: readonly Pending[]): Pending[][] {
  const key = ({ rounds: [trial] }: Pending) =>
    `${trial?.reload ? 1 : 0} ${trial?.selections.map(({ file }) => file).join(' ')}`;
  const sorted = pending.toSorted((a, b) => key(a).localeCompare(key(b)));
  return Array.from({ length: Math.ceil(sorted.length / TRIALS_AT_ONCE) }, (_, index) =>
    sorted.slice(index * TRIALS_AT_ONCE, (index + 1) * TRIALS_AT_ONCE),
  );
}

/** Returns what has to be tried again. */
async function tryBatch(
  batch: readonly Pending[],
  worker: GuardWorker,
  ended: (one: Pending, outcome: Outcome) => void,
): Promise<Pending[][]> {
  const [first] = batch;
  if (first && batch.length === 1) {
    ended(first, await tryAlone(first, worker));
    return [];
  }
  const trials = batch.flatMap(({ rounds: [trial] }) => trial ?? []);
  const { outcomes, failure } = await tryInTurn(
    [...trials, controlOf(trials)],
    worker,
    (number, milliseconds) => {
      const one = batch[number];
      if (one) one.milliseconds += milliseconds;
    },
  );
  const control = outcomes[trials.length];
  // A guard may have left something behind, or a test may need another one before it.
  if (control && control.kind !== 'survived') {
    console.log(`once more, since this fails with all guards on: ${testOf(control)}`);
    return splitBy(batch, testOf(control));
  }
  const untried: Pending[] = [];
  for (const [number, one] of batch.entries()) {
    const outcome = outcomes[number];
    if (outcome) ended(one, outcome);
    else if (failure !== null && untried.length === 0)
      ended(one, { kind: 'broken', test: '', message: failure });
    else untried.push(one);
  }
  return untried.length > 0 ? [untried] : [];
}

/** Those that run a test apart from the others; in halves when all of them do. */
function splitBy(batch: readonly Pending[], test: string): Pending[][] {
  const runsIt = ({ rounds: [trial] }: Pending) =>
    trial?.selections.some(
      ({ file, names = [] }) => test === file || names.some((name) => test === `${file} > ${name}`),
    );
  const [those = [], others = []] = [batch.filter(runsIt), batch.filter((one) => !runsIt(one))];
  if (those.length > 0 && others.length > 0) return [...those.map((one) => [one]), others];
  const half = Math.ceil(batch.length / 2);
  return [batch.slice(0, half), batch.slice(half)];
}

/** In a process of its own, after the same tests with all guards on: those that fail then say nothing about the guard. */
async function tryAlone(one: Pending, worker: GuardWorker): Promise<Outcome> {
  const [trial] = one.rounds;
  if (!trial) throw new Error(`There is no trial of ${one.guard.id}`);
  const whole = trial.selections.map(({ file }) => ({ file }));
  for (const selections of [trial.selections, whole]) {
    const tried = { ...trial, selections };
    const { outcomes, failure } = await tryInTurn(
      [{ ...tried, guard: null, reload: false }, tried],
      worker,
      (_, milliseconds) => {
        one.milliseconds += milliseconds;
      },
    );
    const [control, outcome] = outcomes;
    if (control?.kind === 'survived')
      return outcome ?? { kind: 'broken', test: '', message: failure ?? 'No test ran' };
    console.log(`fails with all guards on: ${control ? testOf(control) : failure}`);
  }
  return { kind: 'broken', test: '', message: 'Its tests fail with all guards on' };
}

async function tryInTurn(
  trials: readonly Trial[],
  { ask }: GuardWorker,
  onTried: (number: number, milliseconds: number) => void,
): Promise<{ outcomes: Outcome[]; failure: string | null }> {
  const outcomes: Outcome[] = [];
  let began = performance.now();
  const answer = await ask({ kind: 'trials', trials }, (number, outcome) => {
    outcomes[number] = outcome;
    onTried(number, performance.now() - began);
    began = performance.now();
  });
  return { outcomes, failure: answer.kind === 'failed' ? answer.message : null };
}

const testOf = (outcome: Outcome): string => ('test' in outcome ? outcome.test : '');

/** Some of the tests with all guards on. */
function controlOf(trials: readonly Trial[]): Trial {
  const files = Map.groupBy(
    trials.flatMap(({ selections }) => selections),
    ({ file }) => file,
  );
  const selections = [...files].map(([file, of]) => ({
    file,
    names: [...new Set(of.flatMap(({ names = [] }) => names.slice(0, 1)))],
  }));
  return { guard: null, selections, reload: false };
}
