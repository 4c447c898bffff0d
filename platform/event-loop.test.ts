import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { type EventLoopWatch, watchEventLoop } from './event-loop.ts';

let watch: EventLoopWatch | undefined;
afterEach(() => watch?.stop());

/** Lets the watch look once more. */
const aMoment = () => pause(30);

function compute(milliseconds: number): void {
  const until = process.threadCpuUsage().user + milliseconds * 1_000;
  while (process.threadCpuUsage().user < until);
}

it('tells how long the event loop was blocked, once', async () => {
  watch = watchEventLoop();
  await aMoment();
  watch.longestBlock();
  compute(150);
  await aMoment();
  const blocked = watch.longestBlock();
  expect(blocked).toBeGreaterThan(0.13);
  await aMoment();
  expect(watch.longestBlock()).toBeLessThan(0.13);
});

it('does not count waiting as work', async () => {
  watch = watchEventLoop();
  await aMoment();
  watch.longestBlock();
  // Blocks like a process that gets no turn on a busy machine.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  await aMoment();
  expect(watch.longestBlock()).toBeLessThan(0.1);
});
