import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serverIsReachable } from '#tests/support/database/test-database.ts';
import { freePort } from '#tests/support/server/free-port.ts';
import {
  type HeldResources,
  inspected,
  readHeldResources,
  readMetrics,
} from '#tests/support/server/metrics.ts';
import { rawRequest } from '#tests/support/server/raw-request.ts';
import type { FuzzTargets } from './fuzz/fuzz-request.ts';
import { seededRandom } from './fuzz/hostile-input.ts';
import { abusiveRequest } from './fuzz/stuffed-request.ts';
import { prepareTargets } from './fuzz/targets.ts';
import { startTestApp, type TestApp } from './support/test-app.ts';

// `ABUSE=10000 npm test -- unit tests/access/abuse.test.ts` is the full run; ABUSE_SEED tries other requests, ABUSE_ONLY a single one.
const COUNT = Number(process.env.ABUSE ?? 1_200);
const SEED = Number(process.env.ABUSE_SEED ?? 20_261_123);
const ONLY = process.env.ABUSE_ONLY === undefined ? null : Number(process.env.ABUSE_ONLY);
const BATCH = 200;
const CONCURRENCY = 4;
const TIMEOUT_MS = 20_000;
/** No request may keep all others waiting for longer, in seconds of CPU time. */
const MAX_BLOCK_S = 0.1;
const MAX_HEAP_GROWTH_MB = 15;

const kind = (await serverIsReachable()) ? 'server' : 'embedded';

describe('requests of at most 8 kB', () => {
  let app: TestApp;
  let metricsPort: number;
  let targets: FuzzTargets;
  beforeAll(async () => {
    metricsPort = await freePort();
    app = await startTestApp(
      { METRICS_PORT: String(metricsPort), ACRE_UNDECLARED: 'on', ...inspected },
      kind,
    );
    targets = await prepareTargets(app);
    expect(targets.version).toBeDefined();
  });
  afterAll(() => app.close());

  const bytesOf = (n: number) => abusiveRequest(seededRandom(SEED, n), targets);
  const send = (n: number) =>
    rawRequest(Number(new URL(app.server.url).port), bytesOf(n), TIMEOUT_MS).then(
      () => null,
      (error: Error) => error.message,
    );
  const longestBlock = async () =>
    (await readMetrics(metricsPort)).get('event_loop_longest_block_seconds') ?? Number.NaN;

  async function sendAll(numbers: readonly number[]): Promise<string[]> {
    const left = [...numbers];
    const failures: string[] = [];
    const worker = async () => {
      for (let n = left.shift(); n !== undefined; n = left.shift()) {
        const failure = await send(n);
        if (failure) failures.push(`ABUSE_SEED=${SEED} ABUSE_ONLY=${n}: ${failure}`);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, worker));
    return failures;
  }

  /** Which of these requests block the process alone, and again: code that is compiled at its first use does not. */
  async function blockersAmong(numbers: readonly number[]): Promise<string[]> {
    const found: string[] = [];
    for (const n of numbers) {
      const blocks: number[] = [];
      while (blocks.length < 2 && blocks.every((block) => block >= MAX_BLOCK_S)) {
        await longestBlock();
        await send(n);
        blocks.push(await longestBlock());
      }
      const least = Math.min(...blocks);
      if (least >= MAX_BLOCK_S)
        found.push(
          `ABUSE_SEED=${SEED} ABUSE_ONLY=${n} blocks for ${least} s: ${JSON.stringify(bytesOf(n).toString('latin1').slice(0, 600))}`,
        );
    }
    return found;
  }

  /** What is kept once connections have been closed and their objects freed. */
  async function settled(expected: HeldResources | null): Promise<HeldResources> {
    let held = await readHeldResources(metricsPort, app.server);
    if (expected)
      await expect
        .poll(
          async () => {
            held = await readHeldResources(metricsPort, app.server);
            return held.descriptors <= expected.descriptors + 5 && held.streams === expected.streams;
          },
          { timeout: 30_000 },
        )
        .toBe(true);
    return held;
  }

  it(
    `block nobody and leave nothing behind: ${COUNT} of seed ${SEED}`,
    async () => {
      const numbers = ONLY === null ? Array.from({ length: COUNT }, (_, n) => n) : [ONLY];
      // Requests of other numbers, so that code is compiled and caches are filled.
      expect(await sendAll(Array.from({ length: 600 }, (_, n) => 1_000_000 + n))).toEqual([]);
      const before = await settled(null);
      const blockers: string[] = [];
      for (let at = 0; at < numbers.length && blockers.length < 5; at += BATCH) {
        const batch = numbers.slice(at, at + BATCH);
        await longestBlock();
        expect(await sendAll(batch)).toEqual([]);
        if ((await longestBlock()) >= MAX_BLOCK_S) blockers.push(...(await blockersAmong(batch)));
      }
      expect(blockers.join('\n\n')).toBe('');
      const after = await settled(before);
      expect(after.heap - before.heap, `MB of heap: ${before.heap}, then ${after.heap}`).toBeLessThan(
        MAX_HEAP_GROWTH_MB,
      );
    },
    120_000 + COUNT * 60,
  );
});
