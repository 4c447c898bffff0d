import { readFileSync } from 'node:fs';
import type { Database } from '#platform/db/database.ts';

/** Runs work and returns its duration in milliseconds. */
export type Clock = (work: () => Promise<unknown>) => Promise<number>;

const wall: Clock = async (work) => {
  const started = performance.now();
  await work();
  return performance.now() - started;
};

/** Whether CPU time is counted, of this process and one database session. */
export const isCpuClock = process.env.BENCH_CLOCK === 'cpu';

/**
 * Wall-clock time; with BENCH_CLOCK=cpu the CPU time of this process and the database session together, which is hardly
 * affected by other load (Linux only, with the database on the same machine).
 */
export async function clockFor(database: Database): Promise<Clock> {
  if (!isCpuClock) return wall;
  const { rows } = await database.pool.query<{ pid: number }>('select pg_backend_pid() as pid');
  const session = () => Number(readFileSync(`/proc/${rows[0]?.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  const own = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e3;
  };
  return async (work) => {
    const started = session() + own();
    await work();
    return session() + own() - started;
  };
}
