import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { prepareDataDir } from './data-dir.ts';
import { InvalidEnvironment } from './invalid-environment.ts';

const isForeign = vi.hoisted(() => ({ value: false }));
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  return {
    ...fs,
    chmodSync: (...change: Parameters<typeof fs.chmodSync>) => {
      if (isForeign.value) throw Object.assign(new Error('not permitted'), { code: 'EPERM' });
      fs.chmodSync(...change);
    },
  };
});

it.each(['a new folder', 'one that was open to all'])(
  'only its owner gets into the data folder: %s',
  (what) => {
    const parent = mkdtempSync(join(tmpdir(), 'acre-data-dir-'));
    const folder = what === 'a new folder' ? join(parent, 'deep', 'data') : parent;
    if (folder === parent) chmodSync(parent, 0o777);
    prepareDataDir(folder);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    rmSync(parent, { recursive: true });
  },
);

it('takes a folder of another user that is closed to all others, and refuses an open one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'acre-data-dir-'));
  for (const [mode, isTaken] of [
    [0o770, true],
    [0o700, true],
    [0o775, false],
    [0o777, false],
  ] as const) {
    chmodSync(folder, mode);
    isForeign.value = true;
    const prepare = () => prepareDataDir(folder);
    if (isTaken) expect(prepare).not.toThrow();
    else expect(prepare).toThrow(InvalidEnvironment);
    if (!isTaken) expect(prepare).toThrow('DATA_DIR: ');
    isForeign.value = false;
  }
  rmSync(folder, { recursive: true });
});
