import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { authErrorCode, callAuth, deviceHeaders } from '#platform/auth/auth.ts';
import { withMinimumDuration } from '#platform/auth/minimum-duration.ts';
import { withHashedPassword } from '#platform/auth/password.ts';
import type { Ctx } from '#platform/context.ts';
import { MINUTE } from '#platform/durations.ts';
import { networkOf } from '#platform/http/network-of.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { isCommonPassword } from '../common-passwords.ts';
import { accountLimits } from '../limits.ts';
import { mailAddressTaken, mailConfirmation } from '../mails.ts';
import { COMMON_PASSWORD, type Device, type FieldErrors, fieldErrors, signUpSchema } from '../model.ts';
import { mayAuthenticate, nameFromEmail, safeNext } from '../rules.ts';

export type SignUpResult = { ok: true } | { ok: false; errors: FieldErrors };

interface SignUpInput extends Device {
  email?: unknown;
  password?: unknown;
  /** the path to return to from the mailed link */
  next?: string | null;
}

/** An account younger than this was opened by a double click, which needs no second mail. */
const SAME_ATTEMPT_MS = MINUTE;

/**
 * Opens a buyer's account and mails the link that confirms its address. The result is the same for an address that
 * already has an account; its owner is notified by mail. The server decides the role: nothing else in the form is read.
 * @throws TooManyRequests
 */
export async function signUp(ctx: Ctx, input: SignUpInput): Promise<SignUpResult> {
  authorize(ctx, mayAuthenticate);
  const parsed = signUpSchema.safeParse({ email: input.email, password: input.password });
  if (!parsed.success) return { ok: false, errors: fieldErrors(parsed.error) };
  const { email, password } = parsed.data;
  if (isCommonPassword(password)) return { ok: false, errors: { password: COMMON_PASSWORD } };
  await takeTokens(ctx, accountLimits.signUp, `ip:${networkOf(ctx.ip)}`);
  await takeTokens(ctx, accountLimits.signUp, `email:${email}`);
  try {
    const work = () => ctx.db.tx(() => createAccount(ctx, email, password, input));
    await withMinimumDuration(() => withHashedPassword(password, work));
  } catch (error) {
    // Concurrent requests for one new address: the database let one through, and that one queued the mail.
    if (authErrorCode(error) !== 'FAILED_TO_CREATE_USER' || !(await ownerOf(ctx, email))) throw error;
  }
  return { ok: true };
}

async function createAccount(
  ctx: Ctx,
  email: string,
  password: string,
  { userAgent, next }: SignUpInput,
): Promise<void> {
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
    await mailConfirmation(ctx, user, { token, next: safeNext(next) });
    await audit(ctx, { action: 'account.open', entity: 'user', entityId: user.id, after: { role: 'buyer' } });
  }
  const owner = addressTaken && (await ownerOf(ctx, email));
  if (owner && ctx.now().getTime() - owner.created_at.getTime() > SAME_ATTEMPT_MS)
    await mailAddressTaken(ctx, addressTaken.user, owner.role);
}

const ownerOf = (ctx: Ctx, email: string) =>
  ctx.db
    .q()
    .selectFrom('users as u')
    .innerJoin('profiles as p', 'p.id', 'u.id')
    .select(['p.role', 'p.created_at'])
    .where('u.email', '=', email)
    .executeTakeFirst();
