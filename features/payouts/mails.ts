import { layoutMail } from '#features/settings/mails.ts';
import type { Ctx } from '#platform/context.ts';
import { queueMail } from '#platform/outbox/outbox.ts';
import { sellerPaths } from '#routing/seller-paths.ts';

// Each mail is queued in the current transaction, so it is sent only if the change is committed.

interface PayoutChange {
  /** distinct addresses: the account's, and the old and the new PayPal address */
  recipients: readonly string[];
  name: string;
  /** for display: 'PayPal (d•••@example.com)', or null for none */
  from: string | null;
  to: string | null;
  holdUntil: Date | null;
}

/** Notifies every address concerned of a new payout destination, and until when payouts are held. */
export async function mailPayoutChanged(ctx: Ctx, change: PayoutChange): Promise<void> {
  const { recipients, name, from, to, holdUntil } = change;
  for (const address of recipients)
    await queueMail(ctx, {
      idempotencyKey: `seller.payout:${ctx.requestId}:${address}`,
      to: { address, name },
      subject: 'Your payout settings were changed',
      ...(await layoutMail(ctx, {
        heading: 'Your payout settings were changed',
        paragraphs: [
          `Payouts for the seller account of ${name} went to: ${from ?? 'not set'}. They now go to: ${to ?? 'not set'}.`,
          ...(holdUntil ? [`For your safety, nothing is paid there before ${holdUntil.toUTCString()}.`] : []),
          'If this was you, you do not need to do anything.',
        ],
        button: {
          label: 'Review your payment settings',
          url: ctx.config.publicUrl + sellerPaths.settings(),
        },
        footer: 'If this was not you, change your password right away and contact the marketplace.',
      })),
    });
}

/** Tells a seller that payouts to their Stripe account can be sent now, or cannot anymore, and why. */
export async function mailAccountState(
  ctx: Ctx,
  to: { name: string; email: string },
  { active, requirement }: { active: boolean; requirement: string | null },
): Promise<void> {
  const subject = active ? 'Your Stripe account is connected' : 'Action required for your payouts';
  await queueMail(ctx, {
    idempotencyKey: `seller.account:${ctx.requestId}:${to.email}:${ctx.now().toISOString()}:${active}`,
    to: { address: to.email, name: to.name },
    subject,
    ...(await layoutMail(ctx, {
      heading: subject,
      paragraphs: active
        ? ['Stripe has verified your account. Payouts can be sent to it.']
        : [
            'Stripe does not accept payouts to your account right now, so they wait.',
            requirement ?? 'Your payment settings say what to do.',
          ],
      button: {
        label: 'Open your payment settings',
        url: ctx.config.publicUrl + sellerPaths.settings(),
      },
      footer: 'You get this email because you sell here.',
    })),
  });
}

/** Asks the owner of a PayPal address to confirm it, signed in as the seller. */
export async function mailPaypalConfirmation(
  ctx: Ctx,
  to: { name: string; email: string },
  token: string,
): Promise<void> {
  await queueMail(ctx, {
    idempotencyKey: `seller.paypal:${ctx.requestId}:${to.email}`,
    to: { address: to.email, name: to.name },
    subject: 'Confirm your PayPal email',
    ...(await layoutMail(ctx, {
      heading: 'Confirm your PayPal email',
      paragraphs: [
        `Payouts for the seller account of ${to.name} will go to this PayPal address. Please confirm that it is yours.`,
        'You will be asked to sign in as the seller.',
      ],
      button: {
        label: 'Confirm PayPal email',
        url: ctx.config.publicUrl + sellerPaths.settings({ confirm: token }),
      },
      footer:
        'If you did not expect this, ignore this email. Nothing is paid to an address that is not confirmed.',
    })),
  });
}
