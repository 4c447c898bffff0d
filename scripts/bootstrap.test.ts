import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isInstalled } from './bootstrap.mjs';
import { sourceHash } from './source-hash.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'acre-bootstrap-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(path: string, content: unknown): void {
  const file = join(folder, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
}

describe('the installation check', () => {
  const hono = { version: '4.13.19' };
  const lock = {
    '': { name: 'x' },
    'node_modules/hono': hono,
    'node_modules/fsevents': { version: '1', optional: true },
  };
  const installed = (present: object) => {
    write('package-lock.json', { packages: lock });
    write('node_modules/.package-lock.json', { packages: present });
    return isInstalled(folder);
  };

  it('passes when every package is installed in its locked version, optional ones excepted', () => {
    expect(installed({ 'node_modules/hono': hono })).toBe(true);
  });
  it.each([
    ['nothing', {}],
    ['another version', { 'node_modules/hono': { version: '4.13.18' } }],
    [
      'an optional package in another version',
      { 'node_modules/hono': hono, 'node_modules/fsevents': { version: '2' } },
    ],
  ])('fails with %s', (_, present) => {
    expect(installed(present)).toBe(false);
  });
  it('fails after an installation that npm did not finish', () => {
    write('package-lock.json', { packages: lock });
    write('node_modules/hono/package.json', hono);
    expect(isInstalled(folder)).toBe(false);
  });
});

describe('the source hash', () => {
  it('changes with file contents, file names and configuration, and with nothing else', () => {
    write('app/routes/home.tsx', 'one');
    write('vite.config.ts', 'x');
    const before = sourceHash(folder);
    write('app/routes/home.test.ts', 'a test');
    write('docs/page.md', 'words');
    write('data/database/x', 'rows');
    expect(sourceHash(folder)).toBe(before);
    write('app/routes/home.tsx', 'two');
    const changed = sourceHash(folder);
    write('app/routes/home2.tsx', '');
    const added = sourceHash(folder);
    write('vite.config.ts', 'y');
    expect(new Set([before, changed, added, sourceHash(folder)]).size).toBe(4);
  });
});
