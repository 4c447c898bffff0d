import { expect } from 'vitest';
import { assignTask } from '#features/tasks/commands/assign-task.ts';
import { closeTasks } from '#features/tasks/commands/close-tasks.ts';
import { openTask } from '#features/tasks/commands/open-task.ts';
import { resolveTask } from '#features/tasks/commands/resolve-task.ts';
import { taskList } from '#features/tasks/reads.ts';
import { type Cells, operation } from '../support/operation.ts';
import { systemContext } from '../support/sales.ts';
import type { Scenario } from '../support/scenario.ts';
import { badId, HEAD, systemOnlyRows } from '../support/table-rows.ts';

/** An open task about nothing else in the market; its id. */
async function newTask(scenario: Scenario): Promise<string> {
  await scenario.db.q().deleteFrom('admin_tasks').execute();
  await openTask(systemContext(scenario), {
    kind: 'dispute_lost',
    subjectId: 'a sale',
    detail: 'Confidential',
  });
  return (await scenario.db.q().selectFrom('admin_tasks').select('id').executeTakeFirstOrThrow()).id;
}
const prepare = ({ scenario }: { scenario: Scenario }) => newTask(scenario);

/** Administrators alone; nobody finds a task that does not exist. */
const forAdministrators = `
  ${HEAD}
  open          Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  allowed
  unknown id    Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  NotFound
  no id at all  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  NotFound
`;

export const cells: Cells = {
  'reads#taskList': operation({
    cells: `
      ${HEAD}
      open  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  one
    `,
    prepare,
    act: (ctx) => taskList(ctx, { state: 'open', page: 1 }),
    outcomeOf: ({ tasks }) => (tasks.length === 1 ? 'one' : 'another number'),
    mayChange: () => false,
    verify: (found, _, { outcome }) => {
      if (outcome !== 'one') expect(JSON.stringify(found) ?? '').not.toContain('Confidential');
    },
  }),

  'commands/assign-task#assignTask': operation({
    cells: forAdministrators,
    prepare,
    act: (ctx, id, cell) => assignTask(ctx, { taskId: badId(cell, id) ?? id, assigneeId: null }),
  }),

  'commands/resolve-task#resolveTask': operation({
    cells: forAdministrators,
    prepare,
    act: (ctx, id, cell) => resolveTask(ctx, { taskId: badId(cell, id) ?? id, resolution: 'Done' }),
  }),

  // Part of other operations, which act as the system.
  'commands/open-task#openTask': operation({
    cells: systemOnlyRows('a task'),
    act: (ctx) => openTask(ctx, { kind: 'dispute_lost', subjectId: 'another sale' }),
  }),

  'commands/close-tasks#closeTasks': operation({
    cells: systemOnlyRows('a task'),
    prepare,
    act: (ctx) => closeTasks(ctx, { kinds: ['dispute_lost'], subjectId: 'a sale', resolution: 'Hidden' }),
  }),
};
