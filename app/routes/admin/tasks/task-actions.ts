import { type ActionArgs, redirectWithToast, runAction, type Submission } from '#app/actions/run-action.ts';
import { addTaskNote } from '#features/tasks/commands/add-task-note.ts';
import { assignTask } from '#features/tasks/commands/assign-task.ts';
import { resolveTask } from '#features/tasks/commands/resolve-task.ts';
import { snoozeTask } from '#features/tasks/commands/snooze-task.ts';
import { takeTask } from '#features/tasks/commands/take-task.ts';
import type { TaskActionResult, TaskRefusal } from '#features/tasks/model.ts';
import { taskRefusals } from '#features/tasks/rules.ts';
import { HOUR } from '#platform/durations.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { parseTaskQuery, toTaskQuery } from './task-query.ts';

/** Refusals of what was typed, and of what has news that the form shows: it stays open and says so. */
const FIELD: Partial<Record<TaskRefusal, string>> = {
  no_resolution: 'resolution',
  newer: 'resolution',
  no_note: 'text',
  no_time: 'hours',
};

/** Takes, assigns, snoozes, closes a task or adds a note, and returns to the list with a toast. */
export function handleTaskForm(args: ActionArgs & { url: URL }) {
  const query = parseTaskQuery(args.url.searchParams);
  const backTo = (id: string) => adminPaths.tasks({ ...toTaskQuery(query), details: id });
  const perform =
    (done: string, command: (submission: Submission, taskId: string) => Promise<TaskActionResult>) =>
    async (submission: Submission) => {
      const taskId = submission.text('id');
      const result = await command(submission, taskId);
      if (result.ok) return redirectWithToast(backTo(taskId), { title: done });
      const text = refusalText(result);
      const field = FIELD[result.reason];
      // With a status that has the page read again: it then shows the news.
      const status = result.reason === 'newer' ? 200 : 422;
      if (field) return { ok: false as const, status, errors: { [field]: text } };
      return redirectWithToast(backTo(taskId), { title: 'Not done', text, tone: 'bad' });
    };
  return runAction(args, {
    intents: {
      take: perform('Task taken', ({ ctx }, taskId) => takeTask(ctx, { taskId })),
      assign: perform('Task assigned', ({ ctx, text }, taskId) =>
        assignTask(ctx, {
          taskId,
          assigneeId: text('assignee') || null,
          seenAssigneeId: text('seen') || null,
        }),
      ),
      snooze: perform('Task snoozed', ({ ctx, text }, taskId) =>
        snoozeTask(ctx, { taskId, until: new Date(ctx.now().getTime() + Number(text('hours')) * HOUR) }),
      ),
      wake: perform('Task needs attention again', ({ ctx }, taskId) =>
        snoozeTask(ctx, { taskId, until: null }),
      ),
      close: perform('Task closed', ({ ctx, text }, taskId) =>
        resolveTask(ctx, { taskId, resolution: text('resolution'), shown: text('shown') }),
      ),
      note: perform('Note added', ({ ctx, text }, taskId) =>
        addTaskNote(ctx, { taskId, text: text('text') }),
      ),
    },
    preserve: ['resolution', 'text', 'hours'],
  });
}

function refusalText({ reason, by }: Extract<TaskActionResult, { ok: false }>): string {
  if (by && reason === 'taken') return `${by} has taken this task.`;
  if (by && reason === 'closed') return `${by} has closed this task.`;
  return taskRefusals[reason];
}
