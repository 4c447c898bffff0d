import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Outcome } from './send-photo.ts';
import { createUploadQueue, type Upload } from './upload-queue.ts';

/** A queue whose requests are answered by hand, in any order. */
function queueByHand() {
  let shown: readonly Upload[] = [];
  const arrived: string[] = [];
  const asked: { name: string; key: string; answer: (outcome: Outcome) => void; signal: AbortSignal }[] = [];
  const queue = createUploadQueue({
    publish: (uploads) => {
      shown = uploads;
    },
    onArrived: ({ name }) => arrived.push(name),
    send: ({ name, key }, _, { signal }) =>
      new Promise((answer) => asked.push({ name, key, answer, signal })),
  });
  const states = () => shown.map(({ name, state }) => `${name} ${state}`);
  const keyOf = (name: string) => shown.find((upload) => upload.name === name)?.key ?? '';
  const answer = async (name: string, outcome: Outcome) => {
    asked.findLast((one) => one.name === name)?.answer(outcome);
    await vi.advanceTimersByTimeAsync(0);
  };
  return { queue, arrived, asked, states, keyOf, answer, shown: () => shown };
}

const file = (name: string, content = 'bytes') => new File([content], name);
const files = (names: string) => [...names].map((name) => file(name));
const add = async (byHand: ReturnType<typeof queueByHand>, names: string) => {
  byHand.queue.add(files(names), { main: false, position: 0 });
  await vi.advanceTimersByTimeAsync(0);
};
const good: Outcome = { ok: true, photos: [] };
const lost: Outcome = { ok: false, kind: 'lost', text: 'lost' };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('sends three at a time, in the order in which they were chosen', async () => {
  const byHand = queueByHand();
  await add(byHand, 'abcde');
  expect(byHand.states()).toEqual(['a sending', 'b sending', 'c sending', 'd waiting', 'e waiting']);
  await byHand.answer('b', good);
  expect(byHand.states()).toEqual(['a sending', 'c sending', 'd sending', 'e waiting']);
  await byHand.answer('a', good);
  await byHand.answer('e', good);
  await byHand.answer('c', good);
  await byHand.answer('d', good);
  expect(byHand.arrived).toEqual(['b', 'a', 'e', 'c', 'd']);
  expect(byHand.states()).toEqual([]);
});

it('the places follow the choice, and the first may be the main one', async () => {
  const byHand = queueByHand();
  byHand.queue.add(files('ab'), { main: true, position: 4 });
  expect(byHand.shown().map(({ main, position }) => [main, position])).toEqual([
    [true, 4],
    [false, 5],
  ]);
});

it('a cancelled one is stopped and makes room', async () => {
  const byHand = queueByHand();
  await add(byHand, 'abcd');
  byHand.queue.cancel(byHand.keyOf('a'));
  expect(byHand.asked[0]?.signal.aborted).toBe(true);
  await byHand.answer('a', good);
  expect(byHand.states()).toEqual(['b sending', 'c sending', 'd sending']);
  expect(byHand.arrived).toEqual([]);
});

it('a lost connection is tried again by itself under the same key, sooner when it is back', async () => {
  const byHand = queueByHand();
  await add(byHand, 'a');
  await byHand.answer('a', lost);
  expect(byHand.states()).toEqual(['a trying']);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(byHand.states()).toEqual(['a sending']);
  for (let n = 0; n < 12; n++) {
    await byHand.answer('a', lost);
    expect(byHand.states()).toEqual(['a trying']);
    byHand.queue.resume();
    await vi.advanceTimersByTimeAsync(0);
  }
  await byHand.answer('a', good);
  expect(new Set(byHand.asked.map(({ key }) => key)).size).toBe(1);
  expect(byHand.arrived).toEqual(['a']);
});

it('a server that keeps failing ends with a person, who may try again', async () => {
  const byHand = queueByHand();
  await add(byHand, 'a');
  for (let n = 0; n < 4; n++) {
    await byHand.answer('a', { ok: false, kind: 'later', text: 'fault' });
    await vi.advanceTimersByTimeAsync(30_000);
  }
  expect(byHand.states()).toEqual(['a failed']);
  byHand.queue.retry(byHand.keyOf('a'));
  await vi.advanceTimersByTimeAsync(0);
  await byHand.answer('a', good);
  expect(byHand.arrived).toEqual(['a']);
});

it('waits as long as a limit says', async () => {
  const byHand = queueByHand();
  await add(byHand, 'a');
  await byHand.answer('a', { ok: false, kind: 'later', text: 'wait', afterSeconds: 400 });
  await vi.advanceTimersByTimeAsync(399_000);
  expect(byHand.states()).toEqual(['a trying']);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(byHand.states()).toEqual(['a sending']);
});

it('what is refused stays so, here or there, and lets the others pass', async () => {
  const byHand = queueByHand();
  byHand.queue.add([file('empty', ''), ...files('ab')], { main: false, position: 0 });
  await vi.advanceTimersByTimeAsync(0);
  await byHand.answer('a', { ok: false, kind: 'no', text: 'no picture' });
  await byHand.answer('b', good);
  expect(byHand.shown().map(({ name, problem }) => [name, problem])).toEqual([
    ['empty', 'This file is empty.'],
    ['a', 'no picture'],
  ]);
  byHand.queue.retry(byHand.keyOf('a'));
  byHand.queue.resume();
  expect(byHand.states()).toEqual(['empty refused', 'a refused']);
});

it('a page that is left stops everything', async () => {
  const byHand = queueByHand();
  await add(byHand, 'ab');
  byHand.queue.close();
  expect(byHand.asked.every(({ signal }) => signal.aborted)).toBe(true);
});
