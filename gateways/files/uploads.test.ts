import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MINUTE } from '#platform/durations.ts';
import { receiveUpload, removeStaleUploads, UploadAborted, UploadTooLarge } from './uploads.ts';

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

test('keeps an upload until it is removed', async () => {
  const file = await receiveUpload(folder, sending(['a', 'bc']), 3);
  expect(await readFile(file.path, 'utf8')).toBe('abc');
  await file.remove();
  await file.remove();
  expect(await readdir(folder)).toEqual([]);
});

test('an empty body becomes an empty file', async () => {
  expect(await readFile((await receiveUpload(folder, null, 3)).path)).toHaveLength(0);
});

test('an oversized or aborted upload leaves nothing behind', async () => {
  await expect(receiveUpload(folder, sending(['ab', 'cd', 'ef']), 3)).rejects.toThrow(UploadTooLarge);
  await expect(receiveUpload(folder, sending(['ab'], new Error('reset')), 3)).rejects.toThrow(UploadAborted);
  expect(await readdir(folder)).toEqual([]);
});

test('an unwritable folder is a server error', async () => {
  await writeFile(folder, 'a file');
  const fault = await receiveUpload(folder, sending(['a']), 3).catch((error: unknown) => error);
  expect(fault).toBeInstanceOf(Error);
  expect(fault).not.toBeInstanceOf(UploadAborted);
});

test.skipIf(process.platform !== 'linux')(
  'so is a file that cannot be written while more is sent',
  async () => {
    const unfinished = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode('a')),
    });
    // Where nobody can make a file.
    const fault = await receiveUpload('/proc/self', unfinished, 3).catch((error: unknown) => error);
    expect(fault).toMatchObject({ syscall: 'open' });
  },
);

test('removes old uploads and tolerates a missing folder', async () => {
  expect(await removeStaleUploads(folder, new Date())).toBe(0);
  await receiveUpload(folder, sending(['young']), 10);
  await writeFile(join(folder, 'old'), '');
  await utimes(join(folder, 'old'), new Date(0), new Date(0));
  expect(await removeStaleUploads(folder, new Date(Date.now() - MINUTE))).toBe(1);
  expect(await readdir(folder)).not.toContain('old');
});
