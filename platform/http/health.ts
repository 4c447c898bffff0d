import type { Hono } from 'hono';
import type { Database } from '../db/database.ts';
import { isMigrated } from '../db/migrate.ts';
import type { ReplicaState } from '../db/replica-monitor.ts';
import type { HttpEnv } from './environment.ts';

const DATABASE_TIMEOUT_MS = 5_000;

/** Tracks whether this process can serve requests. */
export class Readiness {
  #db: Database;
  #migrated = false;
  #stopping = false;

  constructor(db: Database) {
    this.#db = db;
  }

  /** From now on the process reports that it is not ready. */
  stop(): void {
    this.#stopping = true;
  }

  async check(): Promise<{
    ready: boolean;
    database: 'reachable' | 'unreachable';
    migrated: boolean;
    /** only with a replica; without it everything works, so it never makes the process unready */
    replica?: string;
  }> {
    const reachable = await this.#reachable();
    // The schema only moves forward: once current, it stays current.
    if (reachable && !this.#migrated) this.#migrated = await isMigrated(this.#db).catch(() => false);
    return {
      ready: reachable && this.#migrated && !this.#stopping,
      database: reachable ? 'reachable' : 'unreachable',
      migrated: this.#migrated,
      ...describeReplica(this.#db.replicaState()),
    };
  }

  async #reachable(): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const timedOut = new Promise<boolean>((resolve) => {
      timer = setTimeout(resolve, DATABASE_TIMEOUT_MS, false);
    });
    const answered = this.#db.ping().then(
      () => true,
      () => false,
    );
    const reachable = await Promise.race([answered, timedOut]);
    clearTimeout(timer);
    return reachable;
  }
}

function describeReplica(state: ReplicaState | null): { replica?: string } {
  if (state === null) return {};
  return { replica: state.usable ? 'used' : `not used: ${state.reason}` };
}

/** `GET /healthz`: the process is alive. `GET /readyz`: it can serve requests, else 503. Neither uses the session. */
export function addHealth<Env extends HttpEnv>(app: Hono<Env>, readiness: Readiness): void {
  app.get('/healthz', (c) => c.json({ status: 'ok' }, 200, { 'cache-control': 'no-store' }));
  app.get('/readyz', async (c) => {
    const state = await readiness.check();
    return c.json(state, state.ready ? 200 : 503, { 'cache-control': 'no-store' });
  });
}
