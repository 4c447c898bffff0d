import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sharedChunks } from './chunks.ts';

const root = join(import.meta.dirname, '..');

it('names modules that exist, each once', () => {
  const modules = sharedChunks.flatMap(({ modules }) => modules);
  const exists = (path: string) => ['.ts', '.tsx'].some((ending) => existsSync(join(root, path + ending)));
  expect(modules.filter((path) => !exists(path))).toEqual([]);
  expect(modules.filter((path, index) => modules.indexOf(path) !== index)).toEqual([]);
});
