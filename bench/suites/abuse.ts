import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { FuzzTargets } from '#tests/access/fuzz/fuzz-request.ts';
import { prepareTargets } from '#tests/access/fuzz/targets.ts';
import { startTestApp, type TestApp } from '#tests/access/support/test-app.ts';
import { freePort } from '#tests/support/server/free-port.ts';
import {
  type HeldResources,
  inspected,
  readHeldResources,
  readMetrics,
} from '#tests/support/server/metrics.ts';
import type { AbuseOrder, AbuseOutcome } from '../support/abuse-sender.ts';
import { ensureBuilt } from '../support/app-server.ts';
import { READ_EVERY_MS, readSteadily } from '../support/steady-reads.ts';
import type { SuiteReport } from '../support/suite-report.ts';
import { milliseconds, type Timings, table, timingRow } from '../support/timings.ts';

const COUNT = 10_000;
/** Hostile requests a second. */
const RATE = Number(process.env.BENCH_ABUSE_RATE ?? 100);
const WARM_UP = 1_000;
const SEED = 20_261_123;
const IDLE_READS = 750;
const PROMISED_TIMES = 3;
const SETTLE_MS = 60_000;
/** The heap is measured to some megabytes, since caches and compiled code come and go. */
const HEAP_TOLERANCE_MB = 10;
const DESCRIPTOR_TOLERANCE = 5;

/**
 * 10,000 hostile requests of at most 8 kB over every route, at a steady pace, while `/properties` of the demo market is read every
 * 40 ms. Promised: its p99 is at most three times that of an idle server, and a minute later the server keeps nothing of them.
 */
export async function abuseSuite(serverUrl: string): Promise<SuiteReport> {
  await ensureBuilt();
  process.env.TEST_DATABASE_URL = serverUrl;
  const metricsPort = await freePort();
  const app = await startTestApp(
    { METRICS_PORT: String(metricsPort), ACRE_UNDECLARED: 'on', DEMO: 'on', ...inspected },
    'server',
  );
  try {
    return await measure(app, metricsPort);
  } finally {
    await app.close();
  }
}

async function measure(app: TestApp, metricsPort: number): Promise<SuiteReport> {
  const targets = await prepareTargets(app);
  const port = Number(new URL(app.server.url).port);
  const held = () => readHeldResources(metricsPort, app.server);
  const send = (seed: number, count: number) => sendFrom({ targets, port, seed, count, rate: RATE });
  await send(SEED + 1, WARM_UP);
  await wait(SETTLE_MS);
  const before = await held();
  const idle = await readSteadily(port, '/properties', (reads) => reads < IDLE_READS);
  await readMetrics(metricsPort);
  let sending = true;
  const sent = send(SEED, COUNT).finally(() => {
    sending = false;
  });
  const busy = await readSteadily(port, '/properties', () => sending);
  const outcome = await sent;
  const longestBlock = (await readMetrics(metricsPort)).get('event_loop_longest_block_seconds') ?? Number.NaN;
  await wait(SETTLE_MS);
  return report({ idle, busy, before, after: await held(), longestBlock, outcome });
}

function sendFrom(order: AbuseOrder & { targets: FuzzTargets }): Promise<AbuseOutcome> {
  const worker = new Worker(new URL('../support/abuse-sender.ts', import.meta.url), { workerData: order });
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

interface Measured {
  idle: Timings;
  busy: Timings;
  before: HeldResources;
  after: HeldResources;
  longestBlock: number;
  outcome: AbuseOutcome;
}

function report({ idle, busy, before, after, longestBlock, outcome }: Measured): SuiteReport {
  const missed: string[] = [];
  if (busy.p99 > PROMISED_TIMES * idle.p99)
    missed.push(
      `/properties takes ${milliseconds(busy.p99)} ms (p99) amid hostile requests, promised ${PROMISED_TIMES} times ${milliseconds(idle.p99)}`,
    );
  if (outcome.unanswered > 0) missed.push(`${outcome.unanswered} hostile requests got no answer`);
  if (after.heap - before.heap > HEAP_TOLERANCE_MB)
    missed.push(`The heap went from ${before.heap} to ${after.heap} MB`);
  if (after.descriptors - before.descriptors > DESCRIPTOR_TOLERANCE)
    missed.push(`Open files went from ${before.descriptors} to ${after.descriptors}`);
  if (after.streams !== before.streams)
    missed.push(`Event streams went from ${before.streams} to ${after.streams}`);
  const resourceRow = (name: string, { heap, descriptors, streams }: HeldResources) => [
    name,
    heap.toFixed(1),
    String(descriptors),
    String(streams),
  ];
  return {
    title: 'Hostile requests',
    text: `${table(
      [`/properties every ${READ_EVERY_MS} ms, in ms`, 'n', 'p50', 'p95', 'p99', 'max'],
      [
        timingRow('idle', idle),
        timingRow(`amid ${COUNT} hostile requests, ${(COUNT / outcome.seconds).toFixed(0)} a second`, busy),
      ],
    )}\n\n${table(
      ['kept by the server', 'heap after collection, MB', 'open files', 'event streams'],
      [resourceRow('before', before), resourceRow('a minute after', after)],
    )}\n\nThe event loop was never blocked for more than ${milliseconds(longestBlock * 1_000)} ms of CPU. Promised: p99 at most ${PROMISED_TIMES} times the idle one; nothing held.`,
    missed,
  };
}
