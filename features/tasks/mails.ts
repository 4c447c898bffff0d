import { layoutMail } from '#features/settings/mails.ts';
import type { Ctx } from '#platform/context.ts';
import { queueMail } from '#platform/outbox/outbox.ts';
import type { TaskKind, TaskSubjectType } from './model.ts';
import { taskKinds } from './rules.ts';

const subjectNames: Record<TaskSubjectType, string> = {
  sale: 'Sale',
  provider_event: 'Message',
  provider: 'Provider',
  audit_log: 'Audit log:',
  ledger: 'Ledger:',
  break: 'Break',
  provider_account: 'Provider account',
  scanner: 'Scanner:',
  review_queue: 'Pending approval:',
  inquiry: 'Conversation',
  agent: 'Seller',
  job: 'Job',
  mail_outbox: 'Emails:',
  payout_run: 'Payouts',
  payout_schedule: 'Payout schedule:',
  property: 'Property',
};

/** Queues a mail about a new task to every administrator, in the current transaction. */
export async function mailTask(
  ctx: Ctx,
  task: { id: string; kind: TaskKind; detail: string; subjectId: string },
): Promise<void> {
  const administrators = await ctx.db
    .q()
    .selectFrom('users')
    .innerJoin('profiles', 'profiles.id', 'users.id')
    .select(['users.id', 'users.email', 'users.name'])
    .where('profiles.role', '=', 'admin')
    .orderBy('users.id')
    .execute();
  const { title, severity, subjectType } = taskKinds[task.kind];
  for (const { id, email, name } of administrators)
    await queueMail(ctx, {
      idempotencyKey: `task:${task.id}:${id}`,
      to: { address: email, name },
      subject: severity === 'critical' ? `Urgent: ${title}` : title,
      ...(await layoutMail(ctx, {
        heading: title,
        paragraphs: [...(task.detail ? [task.detail] : []), `${subjectNames[subjectType]} ${task.subjectId}`],
      })),
    });
}
