import { expect } from 'vitest';
import { addTaskNote } from '#features/tasks/commands/add-task-note.ts';
import { assignTask } from '#features/tasks/commands/assign-task.ts';
import { closeTasks } from '#features/tasks/commands/close-tasks.ts';
import { followCauses } from '#features/tasks/commands/follow-causes.ts';
import { followDisputeDeadlines } from '#features/tasks/commands/follow-dispute-deadlines.ts';
import { openTask } from '#features/tasks/commands/open-task.ts';
import { resolveTask } from '#features/tasks/commands/resolve-task.ts';
import { snoozeTask } from '#features/tasks/commands/snooze-task.ts';
import { takeTask } from '#features/tasks/commands/take-task.ts';
import { unassignTasks } from '#features/tasks/commands/unassign-tasks.ts';
import { detailMark } from '#features/tasks/detail-mark.ts';
import { taskAssignees, taskDetails, taskList } from '#features/tasks/reads.ts';
import { HOUR } from '#platform/durations.ts';
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

const oneRow = `
  ${HEAD}
  tasks  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  allowed
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

  'reads#taskDetails': operation({
    cells: forAdministrators,
    prepare,
    act: (ctx, id, cell) => taskDetails(ctx, { taskId: badId(cell, id) ?? id }),
    mayChange: () => false,
    verify: (found, _, { outcome }) => {
      if (outcome !== 'allowed') expect(JSON.stringify(found) ?? '').not.toContain('Confidential');
    },
  }),

  'reads#taskAssignees': operation({
    cells: oneRow,
    act: (ctx) => taskAssignees(ctx),
    mayChange: () => false,
  }),

  'commands/take-task#takeTask': operation({
    cells: forAdministrators,
    prepare,
    act: (ctx, id, cell) => takeTask(ctx, { taskId: badId(cell, id) ?? id }),
  }),

  'commands/snooze-task#snoozeTask': operation({
    cells: forAdministrators,
    prepare,
    act: (ctx, id, cell) =>
      snoozeTask(ctx, { taskId: badId(cell, id) ?? id, until: new Date(ctx.now().getTime() + HOUR) }),
  }),

  'commands/add-task-note#addTaskNote': operation({
    cells: forAdministrators,
    prepare,
    act: (ctx, id, cell) => addTaskNote(ctx, { taskId: badId(cell, id) ?? id, text: 'A note' }),
  }),

  'commands/assign-task#assignTask': operation({
    cells: forAdministrators,
    prepare,
    act: (ctx, id, cell) => assignTask(ctx, { taskId: badId(cell, id) ?? id, assigneeId: null }),
  }),

  'commands/resolve-task#resolveTask': operation({
    cells: forAdministrators,
    prepare,
    act: (ctx, id, cell) =>
      resolveTask(ctx, {
        taskId: badId(cell, id) ?? id,
        resolution: 'Done',
        shown: detailMark('Confidential'),
      }),
  }),

  // Part of other operations, which act as the system.
  'commands/open-task#openTask': operation({
    cells: systemOnlyRows('a task'),
    act: (ctx) => openTask(ctx, { kind: 'dispute_lost', subjectId: 'another sale' }),
  }),

  'commands/unassign-tasks#unassignTasks': operation({
    cells: systemOnlyRows('a task'),
    act: (ctx) => unassignTasks(ctx, { assigneeId: '00000000-0000-4000-8000-000000000000' }),
  }),

  'commands/follow-causes#followCauses': operation({
    cells: systemOnlyRows('the causes'),
    act: (ctx) => followCauses(ctx),
  }),

  'commands/follow-dispute-deadlines#followDisputeDeadlines': operation({
    cells: systemOnlyRows('the disputes'),
    act: (ctx) => followDisputeDeadlines(ctx),
  }),

  'commands/close-tasks#closeTasks': operation({
    cells: systemOnlyRows('a task'),
    prepare,
    act: (ctx) => closeTasks(ctx, { kinds: ['dispute_lost'], subjectId: 'a sale', resolution: 'Hidden' }),
  }),
};
