import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { prepareDataDir } from './data-dir.ts';

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
