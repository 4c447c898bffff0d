import { layoutMail } from '#features/settings/mails.ts';
import type { MailContent } from '#gateways/mail/layout.ts';
import type { Ctx } from '#platform/context.ts';
import { queueMail } from '#platform/outbox/outbox.ts';
import { paths } from '#routing/paths.ts';

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

/** Tells a seller that they were suspended, what that means and why. */
export async function mailSuspension(
  ctx: Ctx,
  to: Recipient & { id: string },
  reason: string,
): Promise<void> {
  const heading = 'Your seller account is suspended';
  await send(ctx, `seller.suspended:${to.id}:${ctx.now().getTime()}`, to, heading, {
    heading,
    paragraphs: [
      `Reason: ${reason}`,
      'You can still sign in and see everything, but not change anything. Your listings are hidden, administrators continue your open sales, and payouts are on hold.',
    ],
    footer: 'If you think that this is a mistake, please contact the marketplace.',
  });
}

/** Tells a seller that the suspension is over. */
export async function mailReactivation(
  ctx: Ctx,
  to: Recipient & { id: string },
  reason: string,
): Promise<void> {
  const heading = 'Your seller account is active again';
  await send(ctx, `seller.reactivated:${to.id}:${ctx.now().getTime()}`, to, heading, {
    heading,
    paragraphs: [
      `Reason: ${reason}`,
      'You can manage your listings again. Those that were hidden are shown as before.',
    ],
    button: { label: 'Sign In', url: ctx.config.publicUrl + paths.sellerLogin() },
    footer: 'You are receiving this email because you are a seller of the marketplace.',
  });
}
