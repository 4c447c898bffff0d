import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { projectRoot } from '#platform/project-root.ts';
import { freshDatabase, serverIsReachable } from '#tests/support/database.ts';
import { type Cell, type Cells, type Operation, wordOf } from './operation.ts';
import { fingerprint, type Stage, setStage } from './stage.ts';
import { type ActorName, actors, readTable } from './table.ts';

/** Cells of one operation that are played at the same time, where it allows that. */
const LANES = 6;
const REFUSALS = ['Unauthenticated', 'Forbidden', 'NotFound'];

/** Every function that a feature offers: what its reads.ts and its commands export, found in the folders themselves. */
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

/** By file: the cells of `<feature>.ts` or, where they are many, of all files in a folder of the feature's name. */
async function allCells(): Promise<Map<string, Map<string, Operation>>> {
  const folder = join(import.meta.dirname, 'cells');
  const all = new Map<string, Map<string, Operation>>();
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  for (const file of files.sort()) {
    const { cells } = (await import(join(folder, file))) as { cells: Cells };
    const [feature] = file.split(/[/.]/);
    all.set(file, new Map(Object.entries(cells).map(([name, one]) => [`${feature}/${name}`, one])));
  }
  return all;
}

const byFile = await allCells();
const operations = new Map([...byFile.values()].flatMap((of) => [...of]));

describe('the access matrix', () => {
  it('has cells for every public operation, and for none that is gone', async () => {
    expect([...operations.keys()].sort()).toEqual((await publicOperations()).sort());
  });

  it('fills every cell', () => {
    for (const [name, { cells }] of operations) expect(() => readTable(cells), name).not.toThrow();
  });
});

// On PostgreSQL where there is one: what a permission or an owner's row decides does not depend on the kind of database, and
// the features' own tests run on both. A database for each file: a refusal is compared with every row there is, and those of
// the others are none of its business.
const kind = (await serverIsReachable()) ? 'server' : 'embedded';
for (const [file, cells] of byFile)
  describe(`access: ${file} (${kind})`, () => {
    let db: Database;
    let stage: Stage;
    beforeAll(async () => {
      db = await freshDatabase(kind);
      stage = await setStage(db);
    });
    afterAll(() => db.close());

    for (const [name, operation] of cells) it(name, () => playAll(stage, operation), 180_000);
  });

async function playAll(stage: Stage, operation: Operation): Promise<void> {
  const expected = readTable(operation.cells);
  const actual = new Map([...expected.keys()].map((row) => [row, {} as Record<ActorName, string>]));
  const plays = [...expected.keys()].flatMap((row) =>
    actors.map((actor) => async () => {
      const rowWords = actual.get(row);
      const word = expected.get(row)?.[actor] ?? '';
      if (rowWords) rowWords[actor] = await play(operation, { stage, actor, row }, word);
    }),
  );
  const lanes = operation.atOnce ? LANES : 1;
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      for (let next = plays.shift(); next; next = plays.shift()) await next();
    }),
  );
  expect(Object.fromEntries(actual)).toEqual(Object.fromEntries(expected));
}

/** Plays a cell: its word. A refusal, thrown or told as a typed result, must have changed nothing. */
async function play(operation: Operation, cell: Cell, expected: string): Promise<string> {
  const { stage, actor, row } = cell;
  const thing = await operation.prepare?.(cell);
  const mayChange = operation.changes ?? ((word) => operation.says !== undefined || word === 'allowed');
  const refused = REFUSALS.includes(expected) || !mayChange(expected);
  const before = refused && !operation.atOnce ? await fingerprint(stage.db) : null;
  const changedNothing = async (word: string) => {
    if (before === null) return;
    expect(await fingerprint(stage.db), `${row}, ${actor}: ${word} and yet changed`).toBe(before);
  };
  let result: unknown;
  try {
    result = await operation.act(stage.ctx(actor), thing, cell);
  } catch (error) {
    const word = error instanceof Error ? error.constructor.name : String(error);
    if (!REFUSALS.includes(word)) throw error;
    await changedNothing(word);
    await operation.holds?.(undefined, thing, { ...cell, word });
    return word;
  }
  const word = (await operation.says?.(result, thing, cell)) ?? wordOf(result);
  await changedNothing(word);
  await operation.holds?.(result, thing, { ...cell, word });
  return word;
}
