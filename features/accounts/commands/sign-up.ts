import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { authErrorCode, authOf, callAuth, deviceHeaders, issueConfirmToken } from '#platform/auth/auth.ts';
import { deviceCookie } from '#platform/auth/device-cookie.ts';
import { withMinimumDuration } from '#platform/auth/minimum-duration.ts';
import { matchingHash, passwordHasher, withHashedPassword } from '#platform/auth/password.ts';
import type { Ctx } from '#platform/context.ts';
import { MINUTE } from '#platform/durations.ts';
import { networkOf } from '#platform/http/network-of.ts';
import { hasTokens, takeTokens } from '#platform/rate-limits.ts';
import { isCommonPassword } from '../common-passwords.ts';
import { endResetLinks } from '../end-reset-links.ts';
import { accountLimits } from '../limits.ts';
import { mailAddressTaken, mailConfirmation } from '../mails.ts';
import { COMMON_PASSWORD, type Device, type FieldErrors, fieldErrors, signUpSchema } from '../model.ts';
import { mayAuthenticate, nameFromEmail, safeNext } from '../rules.ts';

/** `cookies`: with them the mailed link asks for no password in this browser */
export type SignUpResult = { ok: true; cookies: string[] } | { ok: false; errors: FieldErrors };

interface SignUpInput extends Omit<Device, 'cookie'> {
  email?: unknown;
  password?: unknown;
  /** the path to return to from the mailed link */
  next?: string | null;
}

/** An account younger than this was opened by a double click, which needs no second mail. */
const SAME_ATTEMPT_MS = MINUTE;

/** How often the password is compared anew because another sign-up has replaced the stored one meanwhile. */
const MAX_COMPARED = 2;

/**
 * Opens a buyer's account and mails the link that confirms its address. The result is the same for an address that
 * already has an account; its owner is notified by mail. While the address is unconfirmed, anyone may have signed up with it, so
 * the newest sign-up replaces the password; one with the same password leaves it, so that a form sent twice keeps the cookie of
 * either answer good. The server decides the role: nothing else in the form is read.
 * @throws TooManyRequests
 */
export async function signUp(ctx: Ctx, input: SignUpInput): Promise<SignUpResult> {
  authorize(ctx, mayAuthenticate);
  const parsed = signUpSchema.safeParse({ email: input.email, password: input.password });
  if (!parsed.success) return { ok: false, errors: fieldErrors(parsed.error) };
  const { email, password } = parsed.data;
  if (isCommonPassword(password, { email })) return { ok: false, errors: { password: COMMON_PASSWORD } };
  await takeTokens(ctx, accountLimits.signUp, `ip:${networkOf(ctx.ip)}`);
  const mayMail = await hasTokens(ctx, accountLimits.confirmMails, `email:${email}`);
  const account = { ...input, email, password, mayMail };
  const chosen = await withMinimumDuration(() => withHashedPassword(password, () => open(ctx, account)));
  return { ok: true, cookies: [deviceCookie(ctx.config, chosen ?? nobody())] };
}

/** An account with the hash that this sign-up wrote. Its cookie is made of no other: that may be a stranger's by now. */
interface ChosenPassword {
  id: string;
  password: string;
}

/** What the cookie is made of for an address whose account is left alone: it looks alike and opens nothing. */
const nobody = (): ChosenPassword => ({ id: crypto.randomUUID(), password: crypto.randomUUID() });

/**
 * The password is compared with the stored one before the transaction, which would stay open for the 80 ms that it takes. Of
 * concurrent sign-ups with a new address one opens the account; the others come after it, with their own password.
 */
async function open(ctx: Ctx, account: NewAccount, round = 1): Promise<ChosenPassword | null> {
  const stored = await storedHash(ctx, account.email);
  const matched = await matchingHash(stored, account.password);
  const compared = round < MAX_COMPARED ? { stored, matched } : { matched };
  try {
    const chosen = await ctx.db.tx(() => createAccount(ctx, account, compared));
    if (chosen !== 'compare_again') return chosen;
  } catch (error) {
    if (authErrorCode(error) !== 'FAILED_TO_CREATE_USER' || round >= MAX_COMPARED) throw error;
  }
  return open(ctx, account, round + 1);
}

async function storedHash(ctx: Ctx, email: string): Promise<string | null> {
  const credential = await ctx.db
    .q()
    .selectFrom('credentials as c')
    .innerJoin('users as u', 'u.id', 'c.user_id')
    .select('c.password')
    .where('c.provider_id', '=', 'credential')
    .where('u.email', '=', email)
    .executeTakeFirst();
  return credential?.password ?? null;
}

/** What the password was compared with. */
interface Compared {
  /** the stored hash at that time, null for none; without it another one now is not compared any more */
  stored?: string | null;
  /** that hash, if it is of the same password */
  matched: string | null;
}

interface NewAccount extends Pick<SignUpInput, 'userAgent' | 'next'> {
  email: string;
  password: string;
  /** false when enough mails went to the address: the links in them still work */
  mayMail: boolean;
}

/** @returns null when the account with the address is left alone */
async function createAccount(
  ctx: Ctx,
  { email, password, mayMail, userAgent, next }: NewAccount,
  compared: Compared,
): Promise<ChosenPassword | null | 'compare_again'> {
  const { confirmAddress, addressTaken } = await callAuth(ctx, (auth) =>
    auth.api.signUpEmail({
      body: { name: nameFromEmail(email), email, password },
      headers: deviceHeaders(ctx, userAgent),
    }),
  );
  if (confirmAddress) {
    const { user, token } = confirmAddress;
    const profile = { id: user.id, role: 'buyer', created_at: ctx.now() } as const;
    await ctx.db.q().insertInto('profiles').values(profile).execute();
    if (mayMail) await mailConfirmation(ctx, user, { token, next: safeNext(next) });
    await audit(ctx, { action: 'account.open', entity: 'user', entityId: user.id, after: { role: 'buyer' } });
    return { id: user.id, password: await passwordHasher.hash(password) };
  }
  const owner = addressTaken && (await lockOwner(ctx, email));
  if (!owner) return null;
  const replaces = !owner.email_verified && owner.role === 'buyer';
  const hash = await storedHash(ctx, email);
  if (replaces && compared.stored !== undefined && hash !== compared.stored) return 'compare_again';
  const kept = hash !== null && hash === compared.matched ? { id: owner.id, password: hash } : null;
  const chosen = replaces ? await takePassword(ctx, owner.id, { password, kept }) : null;
  if (!mayMail || ctx.now().getTime() - owner.created_at.getTime() <= SAME_ATTEMPT_MS) return chosen;
  if (replaces) {
    const token = await issueConfirmToken(ctx, email);
    await mailConfirmation(ctx, addressTaken.user, { token, next: safeNext(next) });
  } else await mailAddressTaken(ctx, addressTaken.user, owner.role);
  return chosen;
}

/** Who signs up with the stored password is taken for the same person: a new hash would make the cookies that name it worthless. */
async function takePassword(
  ctx: Ctx,
  userId: string,
  { password, kept }: { password: string; kept: ChosenPassword | null },
): Promise<ChosenPassword> {
  await audit(ctx, { action: 'account.open_again', entity: 'user', entityId: userId });
  if (kept) return kept;
  const { internalAdapter } = await (await authOf(ctx)).$context;
  const hash = await passwordHasher.hash(password);
  await internalAdapter.updatePassword(userId, hash);
  await endResetLinks(ctx, userId);
  return { id: userId, password: hash };
}

/** Whose address it is. Holds their password until the transaction ends, so that it is not confirmed while it is replaced. */
async function lockOwner(ctx: Ctx, email: string) {
  const q = ctx.db.q();
  await q
    .selectFrom('credentials as c')
    .innerJoin('users as u', 'u.id', 'c.user_id')
    .select('c.id')
    .where('u.email', '=', email)
    .forUpdate('c')
    .execute();
  return q
    .selectFrom('users as u')
    .innerJoin('profiles as p', 'p.id', 'u.id')
    .select(['u.id', 'u.email_verified', 'p.role', 'p.created_at'])
    .where('u.email', '=', email)
    .executeTakeFirst();
}
