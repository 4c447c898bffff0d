import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { StoredUpload } from './pending-uploads.ts';
import type { Outcome } from './photo-requests.ts';
import { createUploadQueue, type Upload } from './upload-queue.ts';

/** A queue whose requests are answered manually, in any order. */
function manualQueue(storing: Promise<void> = Promise.resolve()) {
  let shown: readonly Upload[] = [];
  const uploaded: string[] = [];
  const stored = new Map<string, StoredUpload>();
  const requests: { name: string; key: string; answer: (outcome: Outcome) => void; signal: AbortSignal }[] =
    [];
  const queue = createUploadQueue({
    publish: (uploads) => {
      shown = uploads;
    },
    onUploaded: ({ name }) => uploaded.push(name),
    store: (upload) => {
      stored.set(upload.key, upload);
      return storing;
    },
    forget: (key) => stored.delete(key),
    send: ({ name, key }, _, { signal }) =>
      new Promise((answer) => requests.push({ name, key, answer, signal })),
  });
  const states = () => shown.map(({ name, state }) => `${name} ${state}`);
  const keyOf = (name: string) => shown.find((upload) => upload.name === name)?.key ?? '';
  const answer = async (name: string, outcome: Outcome) => {
    requests.findLast((one) => one.name === name)?.answer(outcome);
    await vi.advanceTimersByTimeAsync(0);
  };
  return { queue, uploaded, stored, requests, states, keyOf, answer, shown: () => shown };
}

/** A file that begins like a JPEG. */
const file = (name: string, content: BlobPart = new Uint8Array([0xff, 0xd8, 0xff])) =>
  new File([content], name);
const files = (names: string) => [...names].map((name) => file(name));
const add = async (manual: ReturnType<typeof manualQueue>, names: string) => {
  manual.queue.add(files(names), { main: false, position: 0 });
  await vi.advanceTimersByTimeAsync(0);
};
const good: Outcome = { ok: true, photos: [] };
const lost: Outcome = { ok: false, kind: 'lost', text: 'lost' };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('uploads three files at a time, in order', async () => {
  const manual = manualQueue();
  await add(manual, 'abcde');
  expect(manual.states()).toEqual(['a sending', 'b sending', 'c sending', 'd waiting', 'e waiting']);
  await manual.answer('b', good);
  expect(manual.states()).toEqual(['a sending', 'c sending', 'd sending', 'e waiting']);
  await manual.answer('a', good);
  await manual.answer('e', good);
  await manual.answer('c', good);
  await manual.answer('d', good);
  expect(manual.uploaded).toEqual(['b', 'a', 'e', 'c', 'd']);
  expect(manual.states()).toEqual([]);
});

it('sends what a reload would not lose, or what the browser does not store within three seconds', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const slow = manualQueue(promise);
  await add(slow, 'a');
  expect([slow.states(), slow.requests.length]).toEqual([['a sending'], 0]);
  resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(slow.requests.length).toBe(1);
  const never = manualQueue(new Promise(() => undefined));
  await add(never, 'b');
  await vi.advanceTimersByTimeAsync(2_999);
  expect(never.requests.length).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(never.requests.length).toBe(1);
});

it('assigns positions in order, and the first file may be the main one', async () => {
  const manual = manualQueue();
  manual.queue.add(files('ab'), { main: true, position: 4 });
  expect(manual.shown().map(({ main, position }) => [main, position])).toEqual([
    [true, 4],
    [false, 5],
  ]);
});

it('a cancelled upload is aborted and frees its slot', async () => {
  const manual = manualQueue();
  await add(manual, 'abcd');
  manual.queue.cancel(manual.keyOf('a'));
  expect(manual.requests[0]?.signal.aborted).toBe(true);
  await manual.answer('a', good);
  expect(manual.states()).toEqual(['b sending', 'c sending', 'd sending']);
  expect(manual.uploaded).toEqual([]);
});

it('retries a lost connection under the same key, immediately when back online', async () => {
  const manual = manualQueue();
  await add(manual, 'a');
  await manual.answer('a', lost);
  expect(manual.states()).toEqual(['a trying']);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(manual.states()).toEqual(['a sending']);
  for (let n = 0; n < 12; n++) {
    await manual.answer('a', lost);
    expect(manual.states()).toEqual(['a trying']);
    manual.queue.resume();
    await vi.advanceTimersByTimeAsync(0);
  }
  await manual.answer('a', good);
  expect(new Set(manual.requests.map(({ key }) => key)).size).toBe(1);
  expect(manual.uploaded).toEqual(['a']);
});

it('gives up after repeated server failures, until the user retries', async () => {
  const manual = manualQueue();
  await add(manual, 'a');
  for (let n = 0; n < 4; n++) {
    await manual.answer('a', { ok: false, kind: 'later', text: 'fault' });
    await vi.advanceTimersByTimeAsync(30_000);
  }
  expect(manual.states()).toEqual(['a failed']);
  manual.queue.retry(manual.keyOf('a'));
  await vi.advanceTimersByTimeAsync(0);
  await manual.answer('a', good);
  expect(manual.uploaded).toEqual(['a']);
});

it('waits as long as the rate limit says', async () => {
  const manual = manualQueue();
  await add(manual, 'a');
  await manual.answer('a', { ok: false, kind: 'later', text: 'wait', afterSeconds: 400 });
  await vi.advanceTimersByTimeAsync(399_000);
  expect(manual.states()).toEqual(['a trying']);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(manual.states()).toEqual(['a sending']);
});

it('refused files stay refused and do not block the others', async () => {
  const manual = manualQueue();
  manual.queue.add([file('empty', ''), ...files('ab')], { main: false, position: 0 });
  await vi.advanceTimersByTimeAsync(0);
  await manual.answer('a', { ok: false, kind: 'no', text: 'no picture' });
  await manual.answer('b', good);
  expect(manual.shown().map(({ name, problem }) => [name, problem])).toEqual([
    ['empty', 'This file is empty.'],
    ['a', 'no picture'],
  ]);
  manual.queue.retry(manual.keyOf('a'));
  manual.queue.resume();
  expect(manual.states()).toEqual(['empty refused', 'a refused']);
});

it('leaving the page aborts all uploads', async () => {
  const manual = manualQueue();
  await add(manual, 'ab');
  manual.queue.close({ kept: false });
  expect(manual.requests.every(({ signal }) => signal.aborted)).toBe(true);
});

it('keeps files until they have arrived, are refused, or are cancelled', async () => {
  const manual = manualQueue();
  await add(manual, 'abcd');
  const names = () => [...manual.stored.values()].map(({ name }) => name).join('');
  expect(names()).toBe('abcd');
  await manual.answer('a', good);
  await manual.answer('b', { ok: false, kind: 'no', text: 'no picture' });
  await manual.answer('c', { ok: false, kind: 'person', text: 'signed out' });
  expect(names()).toBe('cd');
  manual.queue.cancel(manual.keyOf('c'));
  expect(names()).toBe('d');
  manual.queue.close({ kept: false });
  expect(names()).toBe('');
});

it('keeps the files of a page that is left for one that leads back', async () => {
  const manual = manualQueue();
  await add(manual, 'ab');
  manual.queue.close({ kept: true });
  expect(manual.requests.every(({ signal }) => signal.aborted)).toBe(true);
  expect([...manual.stored.values()].map(({ name }) => name)).toEqual(['a', 'b']);
});

it('goes on with stored files under the same keys, once', async () => {
  const before = manualQueue();
  await add(before, 'ab');
  const stored = [...before.stored.values()];
  const manual = manualQueue();
  manual.queue.restore(stored);
  manual.queue.restore(stored);
  await vi.advanceTimersByTimeAsync(0);
  expect(manual.states()).toEqual(['a sending', 'b sending']);
  expect(manual.requests.map(({ key }) => key)).toEqual(before.requests.map(({ key }) => key));
  await manual.answer('a', good);
  await manual.answer('b', good);
  expect(manual.uploaded).toEqual(['a', 'b']);
});
