import { expect, it } from 'vitest';
import { oneByOne } from './one-by-one.ts';

const failing = (problems: Record<string, Error>) => {
  const tried: string[] = [];
  const run = oneByOne(
    ['a', 'b', 'c'],
    (failed) => `${failed} failed`,
    async (item) => {
      tried.push(item);
      if (problems[item]) throw problems[item];
      return item;
    },
  );
  return { tried, run };
};

it('gives what was done for each', async () => {
  await expect(failing({}).run).resolves.toEqual(['a', 'b', 'c']);
});

it('goes on after one that fails, and fails in the end', async () => {
  const { tried, run } = failing({ a: new Error('refused') });
  await expect(run).rejects.toThrow('1 failed');
  expect(tried).toEqual(['a', 'b', 'c']);
});

it('ends where a service does not answer: the others would each wait as long', async () => {
  const silence = Object.assign(new Error('no answer'), { retryable: true });
  const { tried, run } = failing({ b: silence });
  await expect(run).rejects.toMatchObject({ errors: [silence] });
  expect(tried).toEqual(['a', 'b']);
});
