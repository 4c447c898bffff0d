import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Database } from './db/database.ts';

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

/** Open event streams in this process. */
export const eventStreams = new Gauge({
  name: 'event_streams',
  help: 'Open event streams',
  registers: [registry],
});

/** Reports the state of a connection pool, with node-postgres's terms. */
export function measurePool(db: Database): void {
  const state = { total: 'totalCount', idle: 'idleCount', waiting: 'waitingCount' } as const;
  for (const [name, property] of Object.entries(state)) {
    registry.removeSingleMetric(`database_connections_${name}`);
    new Gauge({
      name: `database_connections_${name}`,
      help: `Connections of the pool: ${name}`,
      registers: [registry],
      collect() {
        this.set(db.pool[property]);
      },
    });
  }
}
