import { expect, it } from 'vitest';
import { createPictureCache } from './picture-cache.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

it('makes each picture once, and forgets the one that was not asked for the longest', async () => {
  const made: string[] = [];
  const picture = createPictureCache({ size: 2, queue: 10 });
  const ask = (key: string) =>
    picture(key, async () => {
      made.push(key);
      return bytes(key);
    });
  await Promise.all([ask('a'), ask('a'), ask('b'), ask('a')]);
  await ask('c');
  await ask('a');
  await ask('b');
  expect(made).toEqual(['a', 'b', 'c', 'b']);
});

it('makes one at a time, refuses what would wait too long, and tries again what failed', async () => {
  const picture = createPictureCache({ size: 9, queue: 2 });
  let atOnce = 0;
  let most = 0;
  let finish = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const slow = (key: string) =>
    picture(key, async () => {
      most = Math.max(most, ++atOnce);
      await finished;
      atOnce -= 1;
      return bytes(key);
    });
  const [one, two] = [slow('one'), slow('two')];
  await expect(slow('three')).rejects.toMatchObject({ status: 503 });
  finish();
  await Promise.all([one, two]);
  expect(most).toBe(1);
  expect(await slow('three')).toEqual(bytes('three'));
  await expect(picture('bad', () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
  expect(await picture('bad', async () => bytes('good'))).toEqual(bytes('good'));
});
