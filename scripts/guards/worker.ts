import { type Outcome, openTestRunner, type Trace } from './run-tests.ts';
import type { Trial } from './trial.ts';

/** What the runner asks of a worker process, and what comes back: one answer, or one for each trial and `done`. */
export type Task =
  | { kind: 'trace'; files: readonly string[]; traceFile: string }
  | { kind: 'trials'; trials: readonly Trial[] };
export type Answer =
  | { kind: 'traced'; trace: Trace }
  | { kind: 'tried'; trial: number; outcome: Outcome }
  | { kind: 'done' }
  | { kind: 'failed'; message: string };

const runner = await openTestRunner(process.cwd());
const answer = (message: Answer) => process.send?.(message);

process.on('message', async (task: Task) => {
  try {
    if (task.kind === 'trace')
      answer({ kind: 'traced', trace: await runner.trace(task.files, task.traceFile) });
    else {
      await runner.tryOut(task.trials, (trial, outcome) => answer({ kind: 'tried', trial, outcome }));
      answer({ kind: 'done' });
    }
  } catch (error) {
    answer({ kind: 'failed', message: String(error) });
  }
});
process.once('disconnect', () => process.exit());
