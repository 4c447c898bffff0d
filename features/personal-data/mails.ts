import { layoutMail } from '#features/settings/mails.ts';
import type { Ctx } from '#platform/context.ts';
import { queueMail } from '#platform/outbox/outbox.ts';

/** Queues the last mail to a user whose account is being closed. */
export async function mailAccountClosed(ctx: Ctx, to: { id: string; email: string }): Promise<void> {
  await queueMail(ctx, {
    idempotencyKey: `account.closed:${to.id}`,
    to: { address: to.email },
    subject: 'Your account is closed',
    ...(await layoutMail(ctx, {
      heading: 'Your account is closed',
      paragraphs: [
        `You closed your account on ${ctx.now().toUTCString()}.`,
        'Your name, address, watched properties, saved searches and notifications are deleted. What you wrote to sellers and the records of purchases stay, without your name.',
      ],
      footer: 'You can create a new account with this address at any time.',
    })),
  });
}
