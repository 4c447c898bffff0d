import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { findGuards } from './find-guards.ts';
import { readNoticedBy, remembered, trialWith, writeNoticedBy } from './noticed-by.ts';

const root = mkdtempSync(join(tmpdir(), 'acre-noticed-by-'));
mkdirSync(join(root, 'scripts/guards'), { recursive: true });
afterAll(() => rmSync(root, { recursive: true }));

const audited = { test: 'features/b.db.test.ts > b (PostgreSQL) > is on record', reload: false };
const moved = { test: 'features/a.test.ts > a > moves', reload: true };

it('what noticed each guard is read as it was written, in the order of the guards', () => {
  const noticedBy = new Map([
    ['features/b.ts#audit-1', audited],
    ['features/a.ts#transition-1', moved],
  ]);
  expect(readNoticedBy(root)).toEqual(new Map());
  writeNoticedBy(root, noticedBy);
  expect(readNoticedBy(root)).toEqual(noticedBy);
  expect(readFileSync(join(root, 'scripts/guards/noticed-by.tsv'), 'utf8')).toMatch(
    /^features\/a\.ts#transition-1\t.*\treload\nfeatures\/b\.ts#audit-1\t[^\t]*\n$/,
  );
});

it('a guard is tried with the one test that noticed it', () => {
  const [guard] = findGuards(new Map([['features/a/reads.ts', 'authorize(ctx, maySee);']]));
  if (!guard) throw new Error('No guard was found');
  expect(trialWith(moved, guard)).toEqual({
    guard: guard.id,
    selections: [{ file: 'features/a.test.ts', names: ['a > moves'] }],
    reload: true,
  });
  expect(trialWith({ ...moved, test: 'features/a.test.ts' }, guard).selections).toEqual([
    { file: 'features/a.test.ts' },
  ]);
});

it('a test that notices a guard only after those before it is remembered by its file', () => {
  const file = { ...moved, test: 'features/a.test.ts' };
  expect(remembered(moved, undefined, true)).toEqual(moved);
  expect(remembered(moved, audited, true)).toEqual(moved);
  expect(remembered(moved, moved, false)).toEqual(moved);
  expect(remembered(moved, moved, true)).toEqual(file);
  expect(remembered(moved, file, false)).toEqual(file);
});
