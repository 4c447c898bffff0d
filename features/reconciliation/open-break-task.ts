import { openTask } from '#features/tasks/commands/open-task.ts';
import type { Ctx } from '#platform/context.ts';
import type { BreakKind } from './model.ts';
import { breakKinds } from './rules.ts';

/** Opens the administrators' task about an open break, or brings its text up to date; the same text each time changes nothing. */
export async function openBreakTask(
  ctx: Ctx,
  { id, kind }: { id: string; kind: BreakKind },
  detail: string,
): Promise<void> {
  const { title } = breakKinds[kind];
  await openTask(ctx, { kind: 'break_found', subjectId: id, detail: `${title}. ${detail}`.trim() });
}
