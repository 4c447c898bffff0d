import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { Outcome } from './run-tests.ts';
import type { Answer, Task } from './worker.ts';

/** A test may hang without its guard. */
const PATIENCE_MS = 300_000;

export interface GuardWorker {
  /** Resolves with the last answer; `onTried` is called for each trial before. */
  ask(task: Task, onTried?: (trial: number, outcome: Outcome) => void): Promise<Answer>;
  stop(): void;
}

/** A process that keeps transformed modules; started anew when it does not answer anymore. */
export function startWorker(root: string): GuardWorker {
  const start = () =>
    fork(join(root, 'scripts/guards/worker.ts'), {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
  let child = start();
  return {
    ask: (task, onTried) =>
      new Promise<Answer>((resolve) => {
        const patience = task.kind === 'trace' ? 6 * PATIENCE_MS : PATIENCE_MS;
        const deadline = setTimeout(() => child.kill('SIGKILL'), patience);
        const finish = (answer: Answer) => {
          clearTimeout(deadline);
          child.off('exit', ended);
          child.off('message', answered);
          resolve(answer);
        };
        const answered = (answer: Answer) => {
          if (answer.kind !== 'tried') return finish(answer);
          deadline.refresh();
          onTried?.(answer.trial, answer.outcome);
        };
        const ended = () => {
          finish({ kind: 'failed', message: 'The tests did not end' });
          child = start();
        };
        child.on('message', answered);
        child.once('exit', ended);
        child.send(task);
      }),
    stop: () => child.disconnect(),
  };
}
