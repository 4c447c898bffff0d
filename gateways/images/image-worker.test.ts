import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { processInWorker } from './image-worker.ts';
import { ImageRefused } from './port.ts';
import { processImage } from './process-image.ts';

const folder = mkdtempSync(join(tmpdir(), 'acre-image-worker-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function picture(name: string, width = 900): Promise<string> {
  const path = join(folder, name);
  await sharp({ create: { width, height: 600, channels: 3, background: '#285c41' } })
    .jpeg()
    .toFile(path);
  return path;
}

const children = (): number[] =>
  readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean)
    .map(Number);

test('produces the same result as in this process', async () => {
  const path = await picture('one.jpg');
  expect(await processInWorker(path)).toEqual(await processImage(readFileSync(path)));
});

test('rejects with the same message', async () => {
  const path = join(folder, 'words.jpg');
  writeFileSync(path, 'just words');
  const refusal = await processInWorker(path).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(ImageRefused);
  expect(refusal).toEqual(await processImage(readFileSync(path)).catch((error: unknown) => error));
});

test('a missing file is an error, and the next picture is still processed', async () => {
  await expect(processInWorker(join(folder, 'absent'))).rejects.toThrow(/ENOENT/);
  expect(await processInWorker(await picture('two.jpg'))).toMatchObject({ width: 900 });
});

test.skipIf(process.platform !== 'linux')(
  'survives a crash without losing work, uses a single process, and runs at low priority',
  async () => {
    const paths = await Promise.all([4000, 4100, 4200, 4300].map((width) => picture(`${width}.jpg`, width)));
    const before = children();
    expect(before).toHaveLength(1);
    const [pid = 0] = before;
    // The nineteenth field; the second one is in parentheses and may contain anything.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    expect(fields[16]).toBe('10');
    expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toMatch(/SECRET|DATABASE|VITEST/);
    const made = Promise.all(paths.map((path) => processInWorker(path)));
    process.kill(pid, 'SIGKILL');
    expect((await made).map(({ width }) => width)).toEqual([4000, 4100, 4200, 4300]);
    expect(children()).toHaveLength(1);
    expect(children()).not.toEqual(before);
  },
);
