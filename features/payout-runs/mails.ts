import { layoutMail } from '#features/settings/mails.ts';
import { nameOf } from '#features/tasks/administrators.ts';
import type { Ctx } from '#platform/context.ts';
import { dollarsAndCents } from '#platform/money.ts';
import { queueMail } from '#platform/outbox/outbox.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { payoutsText } from './rules.ts';

// Each mail is queued in the current transaction, so it is sent only if the change is committed.

interface RunMail {
  runId: string;
  /** the id of the administrator it goes to */
  to: string;
  count: number;
  totalCents: number;
}

/** Asks an administrator to approve payouts that another one, or the schedule, has asked for. */
export async function mailApprovalAsked(
  ctx: Ctx,
  { requestedBy, ...mail }: RunMail & { requestedBy: string | null },
): Promise<void> {
  const by = (await nameOf(ctx, requestedBy)) ?? 'The payout schedule';
  await send(ctx, mail, 'approve', {
    subject: 'Payouts wait for your approval',
    paragraphs: [
      `${by} has asked for ${payoutsText(mail.count)}, ${dollarsAndCents(mail.totalCents)} in total. A second administrator has to approve them.`,
      'Nothing is sent until you have looked at them. Without a decision within three days the request expires.',
    ],
    button: 'Review the payouts',
  });
}

/** Tells whoever asked for payouts that nothing of them was sent; `reason` is null when nobody decided in time. */
export async function mailRunEnded(
  ctx: Ctx,
  { reason, ...mail }: RunMail & { reason: string | null },
): Promise<void> {
  await send(ctx, mail, reason === null ? 'expired' : 'declined', {
    subject: reason === null ? 'Your payouts were not approved in time' : 'Your payouts were declined',
    paragraphs: [
      `You asked for ${payoutsText(mail.count)}, ${dollarsAndCents(mail.totalCents)} in total. Nothing was sent.`,
      reason === null ? 'No administrator approved them within three days.' : `The reason: ${reason}`,
    ],
    button: 'Open the payouts',
  });
}

async function send(
  ctx: Ctx,
  { runId, to }: RunMail,
  occasion: string,
  { subject, paragraphs, button }: { subject: string; paragraphs: string[]; button: string },
): Promise<void> {
  const user = await ctx.db
    .q()
    .selectFrom('users')
    .select(['name', 'email'])
    .where('id', '=', to)
    .executeTakeFirst();
  if (!user) return;
  await queueMail(ctx, {
    idempotencyKey: `payout.run:${occasion}:${runId}:${to}`,
    to: { address: user.email, name: user.name },
    subject,
    ...(await layoutMail(ctx, {
      heading: subject,
      paragraphs,
      button: { label: button, url: ctx.config.publicUrl + adminPaths.dashboard({ run: runId }) },
    })),
  });
}
