import { expect, test } from 'vitest';
import { createTurnstile } from './turnstile.ts';

/** Work that is finished by hand. */
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

test('lets in as many as fit, in the order of arrival', async () => {
  const { order, job, settle, end } = jobs();
  const pass = createTurnstile(2);
  const all = ['a', 'b', 'c'].map((name) => pass(1, job(name)));
  await settle();
  expect(order).toEqual(['a', 'b']);
  end('b');
  await settle();
  expect(order).toEqual(['a', 'b', 'c']);
  end('a');
  end('c');
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c']);
});

test('a heavy one works alone and is not overtaken', async () => {
  const { order, job, settle, end } = jobs();
  const pass = createTurnstile(2);
  const all = [pass(1, job('a')), pass(9, job('heavy')), pass(1, job('b'))];
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

test('a failure makes room for the next', async () => {
  const pass = createTurnstile(1);
  const failed = pass(1, async () => {
    throw new Error('no');
  });
  const next = pass(1, async () => 'yes');
  await expect(failed).rejects.toThrow('no');
  expect(await next).toBe('yes');
});
