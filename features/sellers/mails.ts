import { paths } from '#app/paths.ts';
import { type MailContent, renderMail } from '#gateways/mail/layout.ts';
import type { Ctx } from '#platform/context.ts';
import { queueMail } from '#platform/outbox/outbox.ts';

// The mails about being a seller. Each is queued in the running transaction, so that it leaves exactly when the change stands.

interface Reader {
  name: string;
  email: string;
}

async function send(ctx: Ctx, key: string, to: Reader, subject: string, content: MailContent): Promise<void> {
  await queueMail(ctx, {
    idempotencyKey: key,
    to: { address: to.email, name: to.name },
    subject,
    ...renderMail(content),
  });
}

/** Invites a seller to register; the link proves the address and works once, for seven days (B-095). */
export async function mailInvitation(
  ctx: Ctx,
  to: Reader,
  invitation: { id: string; link: string },
): Promise<void> {
  await send(ctx, `seller.invite:${invitation.id}`, to, 'Your invitation to sell', {
    heading: 'Your invitation to sell',
    paragraphs: [
      `Hello ${to.name}, a seller account is ready for you. Choose a password to open it.`,
      'The link works once and for seven days.',
    ],
    button: { label: 'Complete your registration', url: invitation.link },
    footer: 'If you did not expect this, ignore this mail: nothing happens without you.',
  });
}

interface PayoutChange {
  /** who is told, each once: the account's address, the old and the new one of PayPal (B-116) */
  readers: readonly string[];
  name: string;
  /** in words: 'PayPal (d•••@example.com)', or null for none */
  from: string | null;
  to: string | null;
  holdUntil: Date | null;
}

/** Tells every address concerned that payouts go somewhere else from now on, and until when they are held (B-116). */
export async function mailPayoutChanged(ctx: Ctx, change: PayoutChange): Promise<void> {
  const { readers, name, from, to, holdUntil } = change;
  for (const email of readers)
    await send(
      ctx,
      `seller.payout:${ctx.requestId}:${email}`,
      { name, email },
      'Your payout settings were changed',
      {
        heading: 'Your payout settings were changed',
        paragraphs: [
          `Payouts of the seller account of ${name} went to: ${from ?? 'not set'}. They go to: ${to ?? 'not set'}.`,
          ...(holdUntil ? [`For your safety no payout goes there before ${holdUntil.toUTCString()}.`] : []),
          'If this was you, there is nothing to do.',
        ],
        button: { label: 'Look at your payment settings', url: ctx.config.publicUrl + paths.agentSettings() },
        footer: 'If this was not you, change your password at once and tell the marketplace.',
      },
    );
}

/** Asks the owner of a PayPal address to confirm it, signed in as the seller (B-099). */
export async function mailPaypalConfirmation(ctx: Ctx, to: Reader, token: string): Promise<void> {
  await send(ctx, `seller.paypal:${ctx.requestId}:${to.email}`, to, 'Confirm your PayPal email', {
    heading: 'Confirm your PayPal email',
    paragraphs: [
      `Payouts of the seller account of ${to.name} are to go to this PayPal address. Confirm that it is yours.`,
      'You will be asked to sign in as the seller.',
    ],
    button: {
      label: 'Confirm PayPal email',
      url: ctx.config.publicUrl + paths.agentSettings({ confirm: token }),
    },
    footer:
      'If you know nothing of this, ignore this mail: nothing is paid to an address that is not confirmed.',
  });
}
