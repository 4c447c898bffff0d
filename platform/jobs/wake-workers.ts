import { sql } from 'kysely';
import type { Ctx } from '../context.ts';

interface WakeOptions {
  everySeconds: number;
  /** has the workers of a queue fetch at once */
  wake: (queue: string) => void;
}

/**
 * Wakes the workers of queues in which jobs are due: retries, delayed jobs, and jobs whose notification was lost with a connection.
 * One query asks for all queues, because a query of each worker keeps an idle process busy.
 * @returns ends the watch, once a query that is under way has ended
 */
export function wakeWorkersOfDueJobs(
  { db, log }: Pick<Ctx, 'db' | 'log'>,
  queues: readonly string[],
  { everySeconds, wake }: WakeOptions,
): () => Promise<void> {
  let ended = false;
  let timer: NodeJS.Timeout | undefined;
  let turn = Promise.resolve();
  const look = async () => {
    try {
      for (const queue of await readDueQueues(db, queues)) wake(queue);
    } catch (error) {
      log.warn({ err: error }, 'due jobs could not be read');
    }
    if (!ended) lookLater();
  };
  const lookLater = () => {
    timer = setTimeout(() => {
      turn = look();
    }, everySeconds * 1_000);
  };
  lookLater();
  return async () => {
    ended = true;
    clearTimeout(timer);
    await turn;
  };
}

/** Those of the queues in which at least one job is due. */
async function readDueQueues(db: Ctx['db'], queues: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${[...queues]}::text[]) as queue (name)
    where exists (
      select from pgboss.job where job.name = queue.name and state < 'active' and not blocked and start_after <= now()
    )`.execute(db.q());
  return rows.map(({ name }) => name);
}
