import { layoutMail } from '#features/settings/mails.ts';
import type { Ctx } from '#platform/context.ts';
import { queueMail } from '#platform/outbox/outbox.ts';
import { signInPaths } from '#routing/sign-in-paths.ts';

// Each is queued in the current transaction, so it is sent only if the change is committed.

interface Recipient {
  id: string;
  email: string;
}

async function send(
  ctx: Ctx,
  kind: string,
  to: Recipient,
  heading: string,
  paragraphs: string[],
): Promise<void> {
  await queueMail(ctx, {
    idempotencyKey: `account.factor-${kind}:${to.id}:${ctx.requestId}`,
    to: { address: to.email },
    subject: heading,
    ...(await layoutMail(ctx, {
      heading,
      paragraphs,
      button: { label: 'Sign-in security', url: ctx.config.publicUrl + signInPaths.security() },
      footer: 'If this was not you, change your password right away and contact the marketplace.',
    })),
  });
}

const at = (ctx: Ctx) => ctx.now().toUTCString();

/** Tells the owner that a second factor was added, such as 'An authenticator app'. */
export const mailFactorAdded = (ctx: Ctx, to: Recipient, what: string): Promise<void> =>
  send(ctx, 'added', to, `${what} was added to your account`, [
    `${what} was added to your account on ${at(ctx)}. Signing in with your password now asks for a second step.`,
  ]);

/** Tells the owner that a second factor was removed. */
export const mailFactorRemoved = (ctx: Ctx, to: Recipient, what: string): Promise<void> =>
  send(ctx, 'removed', to, `${what} was removed from your account`, [
    `${what} was removed from your account on ${at(ctx)}. It can no longer be used to sign in.`,
  ]);

export const mailRecoveryCodesRenewed = (ctx: Ctx, to: Recipient): Promise<void> =>
  send(ctx, 'codes', to, 'Your recovery codes were replaced', [
    `New recovery codes were made for your account on ${at(ctx)}. The earlier ones no longer work.`,
  ]);

export const mailRecoveryCodeUsed = (ctx: Ctx, to: Recipient): Promise<void> =>
  send(ctx, 'code-used', to, 'A recovery code was used to sign in', [
    `Someone, hopefully you, signed in to your account with a recovery code on ${at(ctx)}. That code no longer works.`,
  ]);

/** Tells the owner that the operator removed all second factors. */
export const mailFactorsReset = (ctx: Ctx, to: Recipient): Promise<void> =>
  send(ctx, 'reset', to, 'Your second sign-in factors were removed', [
    `The operator of the marketplace removed the authenticator app, passkeys and recovery codes of your account on ${at(ctx)}.`,
    'All your sessions have ended. Sign in with your password and set them up again.',
  ]);
