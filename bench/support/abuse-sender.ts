import { setTimeout as wait } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { FuzzTargets } from '#tests/access/fuzz/fuzz-request.ts';
import { seededRandom } from '#tests/access/fuzz/hostile-input.ts';
import { abusiveRequest } from '#tests/access/fuzz/stuffed-request.ts';
import { rawRequest } from '#tests/support/server/raw-request.ts';

// A thread that sends hostile requests at a steady pace, so that making them does not delay the reader's clock.

export interface AbuseOrder {
  targets: FuzzTargets;
  port: number;
  seed: number;
  count: number;
  /** requests a second */
  rate: number;
}
export interface AbuseOutcome {
  /** requests that got no answer within the time */
  unanswered: number;
  seconds: number;
}

const TIMEOUT_MS = 20_000;
const AT_ONCE = 100;

const { targets, port, seed, count, rate } = workerData as AbuseOrder;
const began = performance.now();
const running = new Set<Promise<void>>();
let unanswered = 0;
for (let n = 0; n < count; n += 1) {
  const early = began + (n * 1_000) / rate - performance.now();
  if (early > 1) await wait(early);
  while (running.size >= AT_ONCE) await Promise.race(running);
  const sending = rawRequest(port, abusiveRequest(seededRandom(seed, n), targets), TIMEOUT_MS)
    .then(
      () => undefined,
      () => {
        unanswered += 1;
      },
    )
    .finally(() => running.delete(sending));
  running.add(sending);
}
await Promise.all(running);
parentPort?.postMessage({
  unanswered,
  seconds: (performance.now() - began) / 1_000,
} satisfies AbuseOutcome);
