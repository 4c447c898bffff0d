import { layoutMail } from '#features/settings/mails.ts';
import type { Ctx } from '#platform/context.ts';
import { queueMail } from '#platform/outbox/outbox.ts';
import { paths } from '#routing/paths.ts';

interface Recipient {
  id: string;
  name: string;
  email: string;
}

/** Queues a mail to a buyer whose account was suspended, with the reason, in the current transaction. */
export async function mailSuspended(ctx: Ctx, to: Recipient, reason: string): Promise<void> {
  await queueMail(ctx, {
    idempotencyKey: `buyer.suspend:${to.id}:${ctx.now().toISOString()}`,
    to: { address: to.email, name: to.name },
    subject: 'Your account is suspended',
    ...(await layoutMail(ctx, {
      heading: 'Your account is suspended',
      paragraphs: [
        `Reason: ${reason}`,
        'You can still sign in and see everything, and your open purchases continue. You cannot start purchases, send inquiries or write messages.',
      ],
    })),
  });
}

/** Queues a mail to a buyer whose suspension has ended, in the current transaction. */
export async function mailReinstated(ctx: Ctx, to: Recipient): Promise<void> {
  await queueMail(ctx, {
    idempotencyKey: `buyer.reinstate:${to.id}:${ctx.now().toISOString()}`,
    to: { address: to.email, name: to.name },
    subject: 'Your account is no longer suspended',
    ...(await layoutMail(ctx, {
      heading: 'Your account is no longer suspended',
      paragraphs: ['You can buy, send inquiries and write messages again.'],
      button: { label: 'View properties', url: ctx.config.publicUrl + paths.properties() },
    })),
  });
}
