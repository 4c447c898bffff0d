import { expect, test } from 'vitest';
import { createSemaphore } from './semaphore.ts';

/** Jobs that the test finishes by hand. */
function jobs() {
  const order: string[] = [];
  const finish = new Map<string, () => void>();
  const job = (name: string) => () =>
    new Promise<string>((resolve) => {
      order.push(name);
      finish.set(name, () => resolve(name));
    });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return { order, job, settle, end: (name: string) => finish.get(name)?.() };
}

test('admits as many as fit, in order of arrival', async () => {
  const { order, job, settle, end } = jobs();
  const run = createSemaphore(2);
  const all = ['a', 'b', 'c'].map((name) => run(1, job(name)));
  await settle();
  expect(order).toEqual(['a', 'b']);
  end('b');
  await settle();
  expect(order).toEqual(['a', 'b', 'c']);
  end('a');
  end('c');
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c']);
});

test('a heavy job runs alone and is not overtaken', async () => {
  const { order, job, settle, end } = jobs();
  const run = createSemaphore(2);
  const all = [run(1, job('a')), run(9, job('heavy')), run(1, job('b'))];
  await settle();
  expect(order).toEqual(['a']);
  end('a');
  await settle();
  expect(order).toEqual(['a', 'heavy']);
  end('heavy');
  await settle();
  expect(order).toEqual(['a', 'heavy', 'b']);
  end('b');
  await Promise.all(all);
});

test('a failed job releases its slot', async () => {
  const run = createSemaphore(1);
  const failed = run(1, async () => {
    throw new Error('no');
  });
  const next = run(1, async () => 'yes');
  await expect(failed).rejects.toThrow('no');
  expect(await next).toBe('yes');
});
