import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { freshDatabase, mainDatabase } from '#tests/support/database/test-database.ts';
import { type ActorName, outcomesOf, readTable, UNPROVEN } from './access-table.ts';
import { type Change, changesSince, logChanges, now } from './change-log.ts';
import { withLimitsReached } from './limits-reached.ts';
import { type Cell, type Cells, defaultOutcome, type Operation } from './operation.ts';
import { createScenario, type Scenario } from './scenario.ts';

const REFUSALS = ['Unauthenticated', 'Forbidden', 'NotFound', 'ProofRequired'];

/** The operations by file: `<feature>.ts`, or the files of a folder named after the feature. */
export async function operationsByFile(): Promise<Map<string, Map<string, Operation>>> {
  const folder = join(import.meta.dirname, '../cells');
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

/** Features whose cells take as long as those of all others together. */
const SALES = /^(?:checkout|payments|payouts|sales)\b/;

/**
 * Declares a test for every operation of one half of the matrix; the halves run side by side. On PostgreSQL where available:
 * permissions do not depend on the kind of database, and the features' own tests run on both.
 */
export async function describeCells(half: 'sales' | 'the rest'): Promise<void> {
  const kind = await mainDatabase();
  for (const [file, operations] of await operationsByFile()) {
    if (SALES.test(file) !== (half === 'sales')) continue;
    describe(`access: ${file} (${kind})`, () => {
      let db: Database;
      let scenario: Scenario;
      beforeAll(async () => {
        db = await freshDatabase(kind);
        scenario = await createScenario(db);
        await logChanges(db);
      });
      afterAll(() => db.close());

      for (const [name, operation] of operations) it(name, () => runAll(scenario, operation, name), 180_000);
    });
  }
}

async function runAll(scenario: Scenario, operation: Operation, name: string): Promise<void> {
  const expected = readTable(operation.cells);
  const actual = new Map([...expected.keys()].map((row) => [row, {} as Record<ActorName, string>]));
  const faults: unknown[] = [];
  for (const [row, outcomes] of expected) {
    const prepare = preparer(operation);
    for (const [actor, outcome] of outcomesOf(outcomes)) {
      const rowOutcomes = actual.get(row);
      if (!rowOutcomes) continue;
      try {
        const cell = { scenario, actor, row };
        rowOutcomes[actor] = await runCell(operation, cell, await prepare(cell), outcome, name);
      } catch (error) {
        if (error instanceof Error && error.name === 'AssertionError') throw error;
        rowOutcomes[actor] = outcome;
        faults.push(error);
      }
    }
  }
  if (isLimited(name)) await expectLimited(operation, scenario, name);
  // A wrong outcome says more than a fault in another cell, so it is reported first.
  expect(Object.fromEntries(actual)).toEqual(Object.fromEntries(expected));
  if (faults.length > 0) throw faults[0];
}

/**
 * Prepares what the cells of a row act on: anew for each, unless it is the same for every actor and no cell so far has
 * changed anything but counters of attempts, which start again.
 */
function preparer({ prepare }: Operation): (cell: Cell) => Promise<unknown> {
  let prepared: { target: unknown; at: string } | null = null;
  return async (cell) => {
    const { db } = cell.scenario;
    if (prepared && (await changesSince(db, prepared.at)).length === 0) {
      await db.q().deleteFrom('rate_limits').execute();
      return prepared.target;
    }
    let isForActor = false;
    const target = await prepare?.({
      ...cell,
      get actor() {
        isForActor = true;
        return cell.actor;
      },
    });
    prepared = isForActor ? null : { target, at: await now(db) };
    return target;
  };
}

function mayChange(operation: Operation, outcome: string): boolean {
  if (REFUSALS.includes(outcome)) return false;
  return operation.mayChange?.(outcome) ?? (operation.outcomeOf !== undefined || outcome === 'allowed');
}

/** Runs a cell and returns its outcome. A refusal, thrown or returned as a typed result, must change nothing. */
async function runCell(
  operation: Operation,
  cell: Cell,
  target: unknown,
  expected: string,
  name: string,
): Promise<string> {
  const { scenario, actor, row } = cell;
  const before = await now(scenario.db);
  const expectUnchanged = async (outcome: string) => {
    if (mayChange(operation, expected)) return;
    expect(await changesSince(scenario.db, before), `${row}, ${actor}: ${outcome} and yet changed`).toEqual(
      [],
    );
  };
  let result: unknown;
  try {
    // Where no table says otherwise, an administrator does it who signed in too long ago for a fresh proof.
    const stale = actor === 'admin' && !operation.cells.includes(UNPROVEN);
    result = await operation.act(scenario.ctx(stale ? UNPROVEN : actor), target, cell);
  } catch (error) {
    const outcome = error instanceof Error ? error.constructor.name : String(error);
    if (!REFUSALS.includes(outcome)) {
      // Anything else that goes wrong where a refusal is due is a wrong outcome.
      if (REFUSALS.includes(expected)) return String(error);
      throw error;
    }
    await expectUnchanged(outcome);
    await operation.verify?.(undefined, target, { ...cell, outcome });
    return outcome;
  }
  const outcome = (await operation.outcomeOf?.(result, target, cell)) ?? defaultOutcome(result);
  await expectUnchanged(outcome);
  if (name.includes('/commands/') && defaultOutcome(result) === 'allowed')
    expectAudited(operation, await changesSince(scenario.db, before), name);
  await operation.verify?.(result, target, { ...cell, outcome });
  return outcome;
}

/** Whatever a command changes, it says so in the audit log, unless there is a reason not to. */
function expectAudited({ unaudited }: Operation, changes: readonly Change[], name: string): void {
  const changed = new Set(changes.map(({ table }) => table).filter((table) => table.startsWith('public.')));
  if (changed.size === 0 || unaudited !== undefined) return;
  expect([...changed], `what ${name} changed`).toContain('public.audit_log');
}

/** Whether a command counts attempts, as its source says. */
function isLimited(name: string): boolean {
  const [path, called] = name.split('#');
  if (!name.includes('/commands/')) return false;
  const source = readFileSync(join(import.meta.dirname, '../../../features', `${path}.ts`), 'utf8');
  const own = source.split(/^(?=export )/m).find((part) => part.includes(`function ${called}(`));
  return /\btakeTokens?\(/.test(own ?? '');
}

/** With every counter at its end, a command that counts attempts refuses what it would have done. */
async function expectLimited(operation: Operation, scenario: Scenario, name: string): Promise<void> {
  const cells = [...readTable(operation.cells)].flatMap(([row, outcomes]) =>
    outcomesOf(outcomes).map(([actor, outcome]) => ({ scenario, actor, row, outcome })),
  );
  const cell =
    cells.find(({ outcome }) => outcome === 'allowed') ??
    cells.find(({ outcome }) => !REFUSALS.includes(outcome));
  if (!cell) throw new Error(`${name} is allowed to nobody`);
  const target = await operation.prepare?.(cell);
  await withLimitsReached(scenario.db, async () => {
    const refused = operation
      .act(scenario.ctx(cell.actor), target, cell)
      .then(String, (error: Error) => error.name);
    await expect(refused, `${name} with its limit reached`).resolves.toBe('TooManyRequests');
  });
}
