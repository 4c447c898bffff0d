import { layoutMail } from '#features/settings/mails.ts';
import type { MailContent } from '#gateways/mail/layout.ts';
import { CONFIRM_TOKEN_SECONDS } from '#platform/auth/auth.ts';
import type { Ctx, Role } from '#platform/context.ts';
import { HOUR, MINUTE, SECOND } from '#platform/durations.ts';
import { queueMail } from '#platform/outbox/outbox.ts';
import { signInPaths } from '#routing/sign-in-paths.ts';
import { EMAIL_CHANGE_LASTS_MS } from './email-change-token.ts';
import { linkRole, loginPath } from './rules.ts';

// Account mails. Each is queued in the current transaction, so it is sent only if the change is committed.

interface Recipient {
  id: string;
  email: string;
}

async function send(ctx: Ctx, key: string, to: Recipient, subject: string, content: MailContent) {
  await queueMail(ctx, {
    idempotencyKey: key,
    to: { address: to.email },
    subject,
    ...(await layoutMail(ctx, content)),
  });
}

const link = (ctx: Ctx, path: string) => ctx.config.publicUrl + path;

/** Asks the owner of an address to confirm it; the link works for a day and leads back to `next`. */
export async function mailConfirmation(
  ctx: Ctx,
  to: Recipient,
  { token, next }: { token: string; next?: string | null | undefined },
): Promise<void> {
  const minute = Math.floor(ctx.now().getTime() / MINUTE);
  await send(ctx, `account.confirm:${to.id}:${minute}`, to, 'Confirm your email address', {
    heading: 'Confirm your email address',
    paragraphs: [
      'Someone, hopefully you, created an account with this address.',
      `Confirm it within ${(CONFIRM_TOKEN_SECONDS * SECOND) / HOUR} hours to sign in.`,
    ],
    button: {
      label: 'Confirm email address',
      url: link(ctx, signInPaths.verifyEmail({ token, next: next ?? undefined })),
    },
    footer:
      'If you did not create an account, ignore this email. No one can use the account until it is confirmed.',
  });
}

/** Tells the owner of an address that someone tried to open a second account with it; at most once an hour. */
export async function mailAddressTaken(ctx: Ctx, to: Recipient, role: Role): Promise<void> {
  const hour = Math.floor(ctx.now().getTime() / HOUR);
  await send(ctx, `account.taken:${to.id}:${hour}`, to, 'You already have an account', {
    heading: 'You already have an account',
    paragraphs: [
      'Someone, hopefully you, tried to create an account with this address. You already have one.',
      'Sign in with your password. If you forgot it, choose a new one with "Forgot password?" on the same page; that also confirms your address.',
    ],
    button: { label: 'Sign In', url: link(ctx, loginPath(role)) },
    footer: 'If this was not you, you do not need to do anything. Nothing has changed.',
  });
}

/** Tells the owner of an address that someone asked to use it for another account; at most once an hour. */
export async function mailAddressInUse(ctx: Ctx, to: Recipient, role: Role): Promise<void> {
  const hour = Math.floor(ctx.now().getTime() / HOUR);
  await send(ctx, `account.in-use:${to.id}:${hour}`, to, 'This address already has an account', {
    heading: 'This address already has an account',
    paragraphs: [
      'Someone, hopefully you, asked to use this address for another account. An address belongs to one account only, so the other account keeps its old address.',
      'Sign in here with the account that has this address, or choose another address for the other one.',
    ],
    button: { label: 'Sign In', url: link(ctx, loginPath(role)) },
    footer: 'If this was not you, you do not need to do anything. Nothing has changed.',
  });
}

/**
 * Mails the link to set a new password; it works once and for one hour. It names the role of the account, since an expired link no
 * longer tells whose it was, and another one is asked for on the role's own sign-in page.
 */
export async function mailResetLink(ctx: Ctx, to: Recipient, token: string): Promise<void> {
  const profile = await ctx.db
    .q()
    .selectFrom('profiles')
    .select('role')
    .where('id', '=', to.id)
    .executeTakeFirst();
  const role = profile && linkRole(profile.role);
  await send(ctx, `account.reset:${to.id}:${ctx.requestId}`, to, 'Reset your password', {
    heading: 'Reset your password',
    paragraphs: [
      'Someone, hopefully you, requested a new password for this account.',
      'The link works once and for one hour.',
    ],
    button: { label: 'Set a new password', url: link(ctx, signInPaths.resetPassword({ token, role })) },
    footer: 'If this was not you, ignore this email. Your password stays the same.',
  });
}

/** Tells the owner that the password was changed and that all other sessions have ended. */
export async function mailPasswordChanged(ctx: Ctx, to: Recipient, role: Role): Promise<void> {
  await send(ctx, `account.password:${to.id}:${ctx.requestId}`, to, 'Your password was changed', {
    heading: 'Your password was changed',
    paragraphs: [
      `Your password was changed on ${ctx.now().toUTCString()}.`,
      'All other devices were signed out.',
    ],
    button: { label: 'Sign In', url: link(ctx, loginPath(role)) },
    footer:
      'If this was not you, choose a new password right away with "Forgot password?" on the sign-in page.',
  });
}

/** Asks the owner of an account's new address to confirm it; the link works for a day. */
export async function mailEmailChange(ctx: Ctx, to: Recipient, token: string): Promise<void> {
  await send(ctx, `account.email:${to.id}:${ctx.requestId}`, to, 'Confirm your new email address', {
    heading: 'Confirm your new email address',
    paragraphs: [
      'Someone, hopefully you, asked to use this address for an account.',
      `Confirm it within ${EMAIL_CHANGE_LASTS_MS / HOUR} hours. Until then the account keeps its old address.`,
    ],
    button: { label: 'Confirm email address', url: link(ctx, signInPaths.confirmEmailChange({ token })) },
    footer: 'If this was not you, ignore this email. Nothing changes.',
  });
}

/** Tells the owner at the old address that the account has another one now. */
export async function mailEmailChanged(ctx: Ctx, to: Recipient): Promise<void> {
  await send(ctx, `account.email-changed:${to.id}:${ctx.requestId}`, to, 'Your email address was changed', {
    heading: 'Your email address was changed',
    paragraphs: [
      `The email address of your account was changed on ${ctx.now().toUTCString()}.`,
      'From now on you sign in with the new address, and all emails go there.',
    ],
    footer: 'If this was not you, someone knows your password. Please contact the marketplace right away.',
  });
}

/** Tells a new administrator about the account; the password is handed over separately. */
export async function mailAdminWelcome(ctx: Ctx, to: Recipient): Promise<void> {
  await send(ctx, `account.admin:${to.id}`, to, 'You are now an administrator', {
    heading: 'You are now an administrator',
    paragraphs: [
      'An administrator account was created for this address. Ask the person who created it for the password.',
    ],
    button: { label: 'Sign In', url: link(ctx, loginPath('admin')) },
  });
}

/** Tells somebody that they are no administrator anymore. */
export async function mailAdminRemoved(ctx: Ctx, to: Recipient): Promise<void> {
  await send(
    ctx,
    `account.admin-removed:${to.id}:${ctx.requestId}`,
    to,
    'You are no longer an administrator',
    {
      heading: 'You are no longer an administrator',
      paragraphs: [
        'An administrator of the marketplace removed this account from the administration. All its sessions have ended.',
        'The account itself stays: you can sign in with it as a buyer.',
      ],
      button: { label: 'Sign In', url: link(ctx, loginPath('buyer')) },
    },
  );
}
