import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Database } from './db/database.ts';
import { SECOND } from './durations.ts';
import { watchEventLoop } from './event-loop.ts';

/** The metrics of this process, for Prometheus. */
export const registry = new Registry();
collectDefaultMetrics({ register: registry });

/** Seconds per request, by method, route pattern and status. */
export const httpSeconds = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Time from the request to its last byte',
  labelNames: ['method', 'route', 'status'] as const,
  buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10],
  registers: [registry],
});

/** Seconds per attempt at a job; outcome is done, retry or dead. */
export const jobSeconds = new Histogram({
  name: 'job_duration_seconds',
  help: 'Time of one attempt at a job',
  labelNames: ['job', 'outcome'] as const,
  buckets: [0.005, 0.02, 0.1, 0.5, 1, 5, 15, 60, 300],
  registers: [registry],
});

/** Mail deliveries by outcome: sent, retry or dead. */
export const mailsTotal = new Counter({
  name: 'mails_total',
  help: 'Mails of the outbox by outcome of a delivery',
  labelNames: ['outcome'] as const,
  registers: [registry],
});

/** Connections that were refused because too many were open. */
export const connectionsDropped = new Counter({
  name: 'connections_dropped_total',
  help: 'Connections refused because too many were open',
  registers: [registry],
});

/** Open event streams in this process. */
export const eventStreams = new Gauge({
  name: 'event_streams',
  help: 'Open event streams',
  registers: [registry],
});

/** A gauge whose value is read when it is scraped; one that exists already is replaced. */
function gauge(name: string, help: string, read: () => number | Promise<number>): void {
  registry.removeSingleMetric(name);
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      this.set(await read());
    },
  });
}

/** Starts watching the event loop, and reports how long it was blocked at most since the last scrape. */
export function measureEventLoop(): void {
  const watch = watchEventLoop();
  gauge(
    'event_loop_longest_block_seconds',
    'CPU time of the longest block of the event loop since the last scrape',
    () => watch.longestBlock(),
  );
}

/** Reports the state of the connection pool, with node-postgres's terms, and of the replica. */
export function measureDatabase(db: Database): void {
  const states = { total: 'totalCount', idle: 'idleCount', waiting: 'waitingCount' } as const;
  for (const [name, property] of Object.entries(states))
    gauge(`database_connections_${name}`, `Connections of the pool: ${name}`, () => db.pool[property]);
  if (db.replicaState() === null) return;
  gauge('database_replica_usable', '1 while public reads go to the replica, else 0', () =>
    db.replicaState()?.usable ? 1 : 0,
  );
  gauge(
    'database_replica_lag_seconds',
    'How old the data of the replica is at most; NaN while unusable',
    () => {
      const state = db.replicaState();
      return state?.usable ? state.lagMs / SECOND : Number.NaN;
    },
  );
}

/** Reports what waits in the queues; an unreachable database reports NaN. */
export function measureQueues(db: Database): void {
  const ask = (text: string) => async () => {
    try {
      const { rows } = await db.pool.query<{ value: number }>(`select (${text})::float8 as value`);
      return rows[0]?.value ?? 0;
    } catch {
      return Number.NaN;
    }
  };
  gauge(
    'jobs_waiting',
    'Jobs that are due and wait for a worker',
    ask(
      `select count(*) from pgboss.job where state < 'active' and start_after <= now() and name <> 'dead.letters'`,
    ),
  );
  gauge(
    'jobs_dead',
    'Jobs that failed for good',
    ask(`select count(*) from pgboss.job where state < 'active' and name = 'dead.letters'`),
  );
  gauge(
    'mails_dead',
    'Mails that were given up',
    ask(`select count(*) from mail_outbox where status = 'dead'`),
  );
  gauge(
    'mails_oldest_seconds',
    'Age of the oldest mail that waits to be sent',
    ask(
      `select coalesce(extract(epoch from now() - min(created_at)), 0) from mail_outbox where status = 'queued'`,
    ),
  );
}
