import { closeTasks } from '#features/tasks/commands/close-tasks.ts';
import { openTask } from '#features/tasks/commands/open-task.ts';
import { asSystem, type Ctx } from '#platform/context.ts';
import { dollarsAndCents } from '#platform/money.ts';
import type { ByHand } from './load-plan.ts';
import { payoutsText } from './rules.ts';

/** What the task is about: there is one schedule. */
const SUBJECT = 'by hand';

/** Keeps the task open, with what is due, exactly as long as the schedule leaves payouts to be made by hand. */
export async function notifyByHand(ctx: Ctx, { count, totalCents }: ByHand): Promise<void> {
  const detail = `${payoutsText(count)}, ${dollarsAndCents(totalCents)} in total. No payment provider is connected for them: process them in Payout Management.`;
  const known = await byHandTask(ctx);
  if (count > 0 && known !== detail)
    await openTask(asSystem(ctx, 'payouts'), { kind: 'payouts_by_hand', subjectId: SUBJECT, detail });
  if (count === 0 && known !== null)
    await closeTasks(asSystem(ctx, 'payouts'), {
      kinds: ['payouts_by_hand'],
      subjectId: SUBJECT,
      resolution: 'No payout of the schedule is left to be made by hand',
    });
}

/** What the open task says; null while there is none. */
export async function byHandTask(ctx: Ctx): Promise<string | null> {
  const task = await ctx.db
    .q()
    .selectFrom('admin_tasks')
    .select('detail')
    .where('kind', '=', 'payouts_by_hand')
    .where('subject_id', '=', SUBJECT)
    .where('closed_at', 'is', null)
    .executeTakeFirst();
  return task?.detail ?? null;
}
