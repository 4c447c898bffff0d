import type { Config } from '#platform/config.ts';
import { type Actor, type Ctx, visitor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { createLog } from '#platform/log.ts';

export const testConfig: Config = {
  production: false,
  port: 0,
  host: '127.0.0.1',
  publicUrl: 'http://localhost:3000',
  behindProxy: false,
  databaseUrl: undefined,
  databaseReadUrl: undefined,
  dataDir: '/nonexistent',
  secret: 'a secret for tests that is long enough',
  demo: false,
  relaxedLimits: false,
  smtpUrl: undefined,
  mailFrom: 'Acre Trading Post <no-reply@acre.test>',
  filesUrl: undefined,
  mapTilesUrl: undefined,
  geocoderUrl: undefined,
  stripe: undefined,
  coinbase: undefined,
  sandboxPayments: true,
  logLevel: 'silent',
  metricsPort: undefined,
};

/** A clock that stands still until it is moved. */
export interface TestClock {
  now(): Date;
  advance(milliseconds: number): void;
}

export function testClock(start = '2026-11-20T12:00:00Z'): TestClock {
  let at = new Date(start).getTime();
  return {
    now: () => new Date(at),
    advance(milliseconds) {
      at += milliseconds;
    },
  };
}

/** A context on a test's database; what is not said is a visitor's at a fixed time. */
export function testContext(db: Database, choices: Partial<Ctx> = {}): Ctx {
  return {
    db,
    config: testConfig,
    log: createLog('silent'),
    actor: visitor as Actor,
    requestId: 'test',
    ip: null,
    now: testClock().now,
    ...choices,
  };
}
