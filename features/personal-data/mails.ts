import { layoutMail } from '#features/settings/mails.ts';
import type { Ctx } from '#platform/context.ts';
import { queueMail } from '#platform/outbox/outbox.ts';
import { paths } from '#routing/paths.ts';

interface Recipient {
  id: string;
  email: string;
}

/** Queues the last mail to a user who closes their account. */
export const mailAccountClosed = (ctx: Ctx, to: Recipient): Promise<void> =>
  mailClosed(ctx, to, `You closed your account on ${ctx.now().toUTCString()}.`);

/** Queues the last mail to a user whose account an administrator erases at their request. */
export const mailAccountErased = (ctx: Ctx, to: Recipient): Promise<void> =>
  mailClosed(ctx, to, `As you asked us, we closed your account on ${ctx.now().toUTCString()}.`);

/** Queues the word to a user that an administrator exports their data. */
export async function mailDataExported(ctx: Ctx, to: Recipient): Promise<void> {
  await queueMail(ctx, {
    idempotencyKey: `account.export:${to.id}:${ctx.now().toISOString()}`,
    to: { address: to.email },
    subject: 'A copy of your personal data',
    ...(await layoutMail(ctx, {
      heading: 'A copy of your personal data',
      paragraphs: [
        'You asked us for everything that we keep about you. An administrator has exported it and will hand it over to you.',
        'If you did not ask for this, please answer this email. You can also download your data yourself at any time.',
      ],
      button: { label: 'Your account', url: ctx.config.publicUrl + paths.account() },
    })),
  });
}

async function mailClosed(ctx: Ctx, to: Recipient, how: string): Promise<void> {
  await queueMail(ctx, {
    idempotencyKey: `account.closed:${to.id}`,
    to: { address: to.email },
    subject: 'Your account is closed',
    ...(await layoutMail(ctx, {
      heading: 'Your account is closed',
      paragraphs: [
        how,
        'Your name, address, watched properties, saved searches and notifications are deleted. What you wrote to sellers and the records of purchases stay, without your name.',
      ],
      footer: 'You can create a new account with this address at any time.',
    })),
  });
}
