import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { projectRoot } from '#platform/project-root.ts';
import { readTable } from './support/access-table.ts';
import { describeCells, operationsByFile } from './support/matrix.ts';

vi.mock('better-auth/crypto', () => import('#tests/support/fixtures/quick-passwords.ts'));

/** Every function a feature exports from reads.ts and its commands, found by scanning the folders. */
async function publicOperations(): Promise<string[]> {
  const folder = join(projectRoot, 'features');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /^[^/]+\/(?:reads|commands\/[^/]+)\.ts$/.test(file) && !file.endsWith('.test.ts'),
  );
  const found: string[] = [];
  for (const file of files.sort()) {
    const module = (await import(join(folder, file))) as Record<string, unknown>;
    for (const [name, value] of Object.entries(module))
      if (typeof value === 'function' && !/^class\b/.test(String(value)))
        found.push(`${file.replace(/\.ts$/, '')}#${name}`);
  }
  return found;
}

const operations = new Map([...(await operationsByFile()).values()].flatMap((of) => [...of]));

describe('the access matrix', () => {
  it('covers every public operation and no others', async () => {
    expect([...operations.keys()].sort()).toEqual((await publicOperations()).sort());
  });

  it('fills every cell', () => {
    for (const [name, { cells }] of operations) expect(() => readTable(cells), name).not.toThrow();
  });
});

await describeCells('the rest');
