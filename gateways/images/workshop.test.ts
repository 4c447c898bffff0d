import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { ImageRefused } from './port.ts';
import { processImage } from './process.ts';
import { processApart } from './workshop.ts';

const folder = mkdtempSync(join(tmpdir(), 'acre-workshop-'));
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

test('makes apart what would be made here', async () => {
  const path = await picture('one.jpg');
  expect(await processApart(path)).toEqual(await processImage(readFileSync(path)));
});

test('refuses with the same words', async () => {
  const path = join(folder, 'words.jpg');
  writeFileSync(path, 'just words');
  const refusal = await processApart(path).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(ImageRefused);
  expect(refusal).toEqual(await processImage(readFileSync(path)).catch((error: unknown) => error));
});

test('a file that is not there is a fault, and the next picture is made', async () => {
  await expect(processApart(join(folder, 'absent'))).rejects.toThrow(/ENOENT/);
  expect(await processApart(await picture('two.jpg'))).toMatchObject({ width: 900 });
});

test.skipIf(process.platform !== 'linux')(
  'breaks down without loss, is one process for all, and stands behind the others',
  async () => {
    const paths = await Promise.all([4000, 4100, 4200, 4300].map((width) => picture(`${width}.jpg`, width)));
    const before = children();
    expect(before).toHaveLength(1);
    const [pid = 0] = before;
    // The nineteenth field; the second one may hold anything, but in brackets.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    expect(fields[16]).toBe('10');
    expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toMatch(/SECRET|DATABASE|VITEST/);
    const made = Promise.all(paths.map((path) => processApart(path)));
    process.kill(pid, 'SIGKILL');
    expect((await made).map(({ width }) => width)).toEqual([4000, 4100, 4200, 4300]);
    expect(children()).toHaveLength(1);
    expect(children()).not.toEqual(before);
  },
);
