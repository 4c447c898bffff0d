import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { IncomingBrokenOff, IncomingTooLarge, receiveFile, sweepIncoming } from './incoming.ts';

let folder: string;
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'acre-incoming-')), 'below');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const sending = (pieces: string[], end?: Error) =>
  new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = pieces.shift();
      if (piece !== undefined) controller.enqueue(new TextEncoder().encode(piece));
      else if (end) controller.error(end);
      else controller.close();
    },
  });

test('keeps what was sent until it is removed', async () => {
  const file = await receiveFile(folder, sending(['a', 'bc']), 3);
  expect(await readFile(file.path, 'utf8')).toBe('abc');
  await file.remove();
  await file.remove();
  expect(await readdir(folder)).toEqual([]);
});

test('nothing sent is an empty file', async () => {
  expect(await readFile((await receiveFile(folder, null, 3)).path)).toHaveLength(0);
});

test('more than allowed, or half of it, leaves nothing', async () => {
  await expect(receiveFile(folder, sending(['ab', 'cd', 'ef']), 3)).rejects.toThrow(IncomingTooLarge);
  await expect(receiveFile(folder, sending(['ab'], new Error('reset')), 3)).rejects.toThrow(
    IncomingBrokenOff,
  );
  expect(await readdir(folder)).toEqual([]);
});

test('a folder that cannot be written is a fault of ours', async () => {
  await writeFile(folder, 'a file');
  const fault = await receiveFile(folder, sending(['a']), 3).catch((error: unknown) => error);
  expect(fault).toBeInstanceOf(Error);
  expect(fault).not.toBeInstanceOf(IncomingBrokenOff);
});

test('sweeps what is old, and minds no missing folder', async () => {
  expect(await sweepIncoming(folder, new Date())).toBe(0);
  await receiveFile(folder, sending(['young']), 10);
  await writeFile(join(folder, 'old'), '');
  await utimes(join(folder, 'old'), new Date(0), new Date(0));
  expect(await sweepIncoming(folder, new Date(Date.now() - 60_000))).toBe(1);
  expect(await readdir(folder)).not.toContain('old');
});
