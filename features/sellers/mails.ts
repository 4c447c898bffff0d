import { layoutMail } from '#features/settings/mails.ts';
import type { MailContent } from '#gateways/mail/layout.ts';
import type { Ctx } from '#platform/context.ts';
import { queueMail } from '#platform/outbox/outbox.ts';

// Seller mails. Each is queued in the current transaction, so it is sent only if the change is committed.

interface Recipient {
  name: string;
  email: string;
}

async function send(
  ctx: Ctx,
  key: string,
  to: Recipient,
  subject: string,
  content: MailContent,
): Promise<void> {
  await queueMail(ctx, {
    idempotencyKey: key,
    to: { address: to.email, name: to.name },
    subject,
    ...(await layoutMail(ctx, content)),
  });
}

/** Invites a seller to register; the link proves the address and works once, for seven days. */
export async function mailInvitation(
  ctx: Ctx,
  to: Recipient,
  invitation: { id: string; link: string },
): Promise<void> {
  await send(ctx, `seller.invite:${invitation.id}`, to, 'Your invitation to sell', {
    heading: 'Your invitation to sell',
    paragraphs: [
      `Hello ${to.name}, a seller account is ready for you. Choose a password to open it.`,
      'The link works once and for seven days.',
    ],
    button: { label: 'Complete your registration', url: invitation.link },
    footer: 'If you did not expect this, ignore this email. Nothing happens unless you register.',
  });
}
