import { afterEach, expect, test } from 'vitest';
import { processInWorker } from './image-worker.ts';

const { execPath } = process;
afterEach(() => {
  process.execPath = execPath;
});

test('a process that cannot even be asked for fails the picture alone, also in place of one that has ended', async () => {
  process.execPath = '/there/is/no/such/program';
  const begun = processInWorker('/one.jpg');
  // An argument that is refused at once, as is a process when memory is short.
  process.execPath = 'no\0program';
  await expect(begun).rejects.toThrow('null bytes');
  await expect(processInWorker('/two.jpg')).rejects.toThrow('null bytes');
});

test('a picture is given up when the process cannot be started', async () => {
  process.execPath = '/there/is/no/such/program';
  const pictures = [processInWorker('/one.jpg'), processInWorker('/two.jpg')];
  for (const outcome of await Promise.allSettled(pictures))
    expect(outcome).toMatchObject({ reason: new Error('The image process does not start') });
  process.execPath = execPath;
  await expect(processInWorker('/one.jpg')).rejects.toThrow(/ENOENT/);
});
