import { checkImport } from '#features/import-runs/commands/check-import.ts';
import { discardImport } from '#features/import-runs/commands/discard-import.ts';
import { freeImports } from '#features/import-runs/commands/free-imports.ts';
import { startImport } from '#features/import-runs/commands/start-import.ts';
import { stopImport } from '#features/import-runs/commands/stop-import.ts';
import { sweepImports } from '#features/import-runs/commands/sweep-imports.ts';
import { undoImport } from '#features/import-runs/commands/undo-import.ts';
import { watchImports } from '#features/import-runs/commands/watch-imports.ts';
import { workImport } from '#features/import-runs/commands/work-import.ts';
import type { ImportStatus } from '#features/import-runs/model.ts';
import { importDetails, importHistory, refusedRows, sparedRows } from '#features/import-runs/reads.ts';
import type { Ctx } from '#platform/context.ts';
import { createImport, importScene, listingsCsv, uploadFile } from '#tests/support/fixtures/imports.ts';
import { type Cell, type Cells, operation } from '../support/operation.ts';
import { HEAD } from '../support/own-listings.ts';
import { withoutRateLimits } from '../support/sales.ts';
import { badId, systemOnlyRows } from '../support/table-rows.ts';

/** Sellers A and B, the suspended one, and administrators; everyone else is refused. */
const row = (name: string, a: string, b: string, suspended: string, admin: string) =>
  `${name}  Unauthenticated  Forbidden  Forbidden  ${a}  ${b}  ${suspended}  ${admin}`;
const missing = (suspended: string) =>
  ['unknown id', 'no id at all', 'id in upper case']
    .map((name) => row(name, 'NotFound', 'NotFound', suspended, 'NotFound'))
    .join('\n');

/** An import of seller A's in this status. */
const importOf =
  (status: ImportStatus) =>
  async (cell: Cell): Promise<string> => {
    const { scenario } = cell;
    const { id, agentId } = scenario.person('sellerA');
    const real = await createImport(scenario.db, { status, agentId, madeBy: id });
    return badId(cell, real) ?? real;
  };

/** A step of seller A's import, which only they and administrators can take. */
const step = (status: ImportStatus, run: (ctx: Ctx, input: { importId: string }) => Promise<unknown>) =>
  operation({
    cells: `
      ${HEAD}
      ${row('A’s', 'allowed', 'NotFound', 'Forbidden', 'allowed')}
      ${missing('Forbidden')}
    `,
    prepare: importOf(status),
    act: (ctx, importId) => run(ctx, { importId }),
  });

const read = (run: (ctx: Ctx, input: { importId: string }) => Promise<unknown>) =>
  operation({
    cells: `
      ${HEAD}
      ${row('A’s', 'allowed', 'NotFound', 'NotFound', 'allowed')}
      ${missing('NotFound')}
    `,
    prepare: importOf('done'),
    act: (ctx, importId) => run(ctx, { importId }),
    mayChange: () => false,
  });

const scenes = new WeakMap<object, ReturnType<typeof importScene>>();
/** The context with a file store and a folder for uploads. */
function withFiles(ctx: Ctx) {
  const scene = scenes.get(ctx.db) ?? importScene(ctx.db);
  scenes.set(ctx.db, scene);
  const { config } = scene.as(ctx.actor);
  return {
    ...withoutRateLimits({ ...ctx, config: { ...ctx.config, dataDir: config.dataDir } }),
    files: scene.files,
  };
}

export const cells: Cells = {
  'commands/upload-import#uploadImport': operation({
    cells: `
      ${HEAD}
      ${row('a file', 'allowed', 'allowed', 'Forbidden', 'allowed')}
    `,
    act: (ctx) => uploadFile(withFiles(ctx), 'homes.csv', listingsCsv([{}])),
  }),
  'commands/check-import#checkImport': operation({
    cells: `
      ${HEAD}
      ${row('A’s', 'allowed', 'NotFound', 'Forbidden', 'allowed')}
      ${missing('Forbidden')}
    `,
    prepare: importOf('uploaded'),
    act: (ctx, importId, { scenario }) =>
      checkImport(ctx, {
        importId,
        agentId: scenario.person('sellerA').agentId,
        firstStatus: 'Active',
        activateTypes: true,
        sameHome: 'ask',
        choices: { source_id: '#1', price: '#2', address: '#3', property_type: '#4' },
        types: {},
      }),
  }),
  'commands/start-import#startImport': step('checked', startImport),
  'commands/stop-import#stopImport': step('running', stopImport),
  'commands/undo-import#undoImport': step('done', undoImport),
  'commands/discard-import#discardImport': step('uploaded', (ctx, input) =>
    discardImport(withFiles(ctx), input),
  ),
  'commands/work-import#workImport': operation({
    cells: systemOnlyRows('by hand'),
    prepare: importOf('running'),
    act: (ctx, importId) => workImport(withFiles(ctx), { importId }),
  }),
  'commands/watch-imports#watchImports': operation({
    cells: systemOnlyRows('by hand'),
    act: (ctx) => watchImports(ctx),
  }),
  'commands/free-imports#freeImports': operation({
    cells: systemOnlyRows('by hand'),
    act: (ctx) => freeImports(ctx),
  }),
  'commands/sweep-imports#sweepImports': operation({
    cells: systemOnlyRows('by hand'),
    act: (ctx) => sweepImports(withFiles(ctx)),
  }),
  'reads#importHistory': operation({
    cells: `
      ${HEAD}
      ${row('A’s', 'shown', 'hidden', 'hidden', 'shown')}
    `,
    prepare: importOf('done'),
    act: (ctx) => importHistory(ctx, { page: 1 }),
    outcomeOf: ({ entries }, importId) => (entries.some(({ id }) => id === importId) ? 'shown' : 'hidden'),
    mayChange: () => false,
  }),
  'reads#importDetails': read(importDetails),
  'reads#refusedRows': read(refusedRows),
  'reads#sparedRows': read(sparedRows),
};
