import { redirect } from 'react-router';
import {
  type ActionArgs,
  invalid,
  type Refusal,
  redirectWithToast,
  runAction,
  type Stay,
  type Submission,
} from '#app/actions/run-action.ts';
import { getCtx } from '#app/request.ts';
import { requestPasswordReset } from '#features/accounts/commands/request-password-reset.ts';
import { resendVerification } from '#features/accounts/commands/resend-verification.ts';
import { signIn } from '#features/accounts/commands/sign-in.ts';
import { demoAccountsFor } from '#features/accounts/model.ts';
import { viewerOf } from '#features/accounts/reads.ts';
import {
  accountMessages,
  homePath,
  type LoginRole,
  linkRole,
  loginPath,
  parseIntent,
  resetMailedMessage,
  safeNext,
  signInFailedTitle,
} from '#features/accounts/rules.ts';
import { rememberTimeZone } from '#features/notifications/commands/remember-time-zone.ts';
import { setWatch } from '#features/watches/commands/set-watch.ts';
import { WATCH_FAILED } from '#features/watches/rules.ts';
import type { Ctx } from '#platform/context.ts';
import { AppError } from '#platform/errors.ts';
import { paths } from '#routing/paths.ts';
import { signInPaths } from '#routing/sign-in-paths.ts';
import type { ActionData } from '#ui/action-data.ts';
import type { ToastInput } from '#ui/toast.ts';
import { resetCookie } from './reset-cookie.ts';
import { stepCookie } from './step-cookie.ts';
import { typedEmailCookie, typedEmailOf } from './typed-email-cookie.ts';

interface RouteArgs extends ActionArgs {
  url: URL;
}

/** Where the user was going and what they wanted to do there, from the sign-in page's URL. */
export function parseSignInQuery(url: URL) {
  const raw = url.searchParams.get('intent');
  return { next: safeNext(url.searchParams.get('next')), intent: parseIntent(raw) ? raw : null };
}

/**
 * Loads a sign-in page.
 * @throws a redirect for users who are already signed in with its role
 */
export function loadSignIn(loginRole: LoginRole, { url, context, request }: RouteArgs) {
  const ctx = getCtx(context);
  const viewer = viewerOf(ctx);
  const { next, intent } = parseSignInQuery(url);
  if (viewer?.role === loginRole) throw redirect(next ?? homePath(loginRole));
  const query = { next: next ?? undefined, intent: intent ?? undefined };
  return {
    loginRole,
    viewer: viewer && { email: viewer.email, role: viewer.role },
    forgot: url.searchParams.has('forgot'),
    typedEmail: typedEmailOf(ctx.config, request),
    here: loginPath(loginRole, query),
    forgotPath: loginPath(loginRole, { ...query, forgot: 1 }),
    passkeyPath: signInPaths.step({ role: loginRole, ...query }),
    signupPath: paths.buyerSignup({ next: next ?? undefined }),
    demoAccounts: demoAccountsFor(loginRole, ctx.config.demo),
  };
}

/** Offers to resend the confirmation mail. */
interface SignInExtra {
  resend: true;
}

/** What a form of a sign-in page answers. */
export type SignInAnswer = ActionData & Partial<SignInExtra>;

/** Handles the forms of a sign-in page: sign in, mail a reset link, resend the confirmation mail. */
export function handleSignInForm(loginRole: LoginRole, args: RouteArgs) {
  const { url } = args;
  return runAction<SignInExtra>(args, {
    intents: {
      'sign-in': (submission) => handleSignIn(loginRole, url, submission),
      forgot: (submission) => sendResetMail(loginRole, url, submission),
      resend: (submission) => resendConfirmation(url, submission),
    },
    fallback: 'sign-in',
    preserve: ['email'],
    messages: ({ intent }) => ({
      title: signInFailedTitle(loginRole, intent),
      failed: accountMessages.unexpected,
    }),
  });
}

async function handleSignIn(
  loginRole: LoginRole,
  url: URL,
  { ctx, scope, request, text }: Submission,
): Promise<Response | Refusal<SignInExtra>> {
  const result = await signIn(ctx, {
    loginRole,
    email: text('email'),
    password: text('password'),
    userAgent: request.headers.get('user-agent'),
    cookie: request.headers.get('cookie'),
    currentSessionId: scope.sessionId,
  });
  if (result.ok) {
    const signedIn = { ...ctx, actor: result.actor };
    await rememberTimeZone(signedIn, { timeZone: text('timeZone') });
    return redirectAfterSignIn(loginRole, url, signedIn, result.cookies);
  }
  // The previous session has been ended, so a redirect reloads the whole page.
  const signInAgain = (reason: string, cookies: readonly string[]) => {
    const { next, intent } = parseSignInQuery(url);
    return redirectWithToast(
      loginPath(loginRole, { next: next ?? undefined, intent: intent ?? undefined }),
      { title: accountMessages.loginFailed, text: reason, tone: 'bad' },
      { cookies: [...cookies, typedEmailCookie(ctx.config, text('email'))] },
    );
  };
  switch (result.reason) {
    case 'invalid':
      return invalid(result.errors);
    case 'wrong_credentials': {
      const reason = accountMessages.wrongCredentials;
      if (result.cookies) return signInAgain(reason, result.cookies);
      return { ok: false, status: 401, errors: { password: reason }, toast: reason };
    }
    case 'email_not_confirmed':
      return {
        ok: false,
        status: 403,
        toast: accountMessages.emailNotConfirmed,
        extra: { resend: true },
        ...(result.cookies?.[0] && { headers: { 'set-cookie': result.cookies[0] } }),
      };
    case 'wrong_login':
      return signInAgain(result.message, result.cookies);
    case 'second_step': {
      const { next, intent } = parseSignInQuery(url);
      return redirectWithToast(
        signInPaths.step({ role: loginRole, next: next ?? undefined, intent: intent ?? undefined }),
        null,
        { cookies: [...result.cookies, stepCookie(ctx.config, result.step)] },
      );
    }
    case 'must_change_password':
      return redirectWithToast(signInPaths.resetPassword({ forced: 1, role: linkRole(loginRole) }), null, {
        cookies: [...result.cookies, resetCookie(ctx.config, result.token)],
      });
  }
}

/** Redirects to where the user was going, after doing what they wanted to do there. */
export async function redirectAfterSignIn(loginRole: LoginRole, url: URL, ctx: Ctx, cookies: string[]) {
  const { next, intent: raw } = parseSignInQuery(url);
  const intent = parseIntent(raw);
  let toast: ToastInput | null = loginRole === 'admin' ? accountMessages.welcomeAdmin : null;
  if (intent?.kind === 'watch') {
    try {
      await setWatch(ctx, { propertyId: intent.propertyId, watched: true });
    } catch (error) {
      if (!(error instanceof AppError))
        ctx.log.error({ err: error }, 'the listing could not be watched after signing in');
      toast = { title: 'Error', text: WATCH_FAILED, tone: 'bad' };
    }
  }
  const to = next ?? (intent ? paths.property(intent.propertyId) : homePath(loginRole));
  return redirectWithToast(to, toast, { cookies });
}

async function sendResetMail(
  loginRole: LoginRole,
  url: URL,
  { ctx, text }: Submission,
): Promise<Response | Refusal<SignInExtra>> {
  const result = await requestPasswordReset(ctx, { email: text('email') });
  if (!result.ok) return invalid(result.errors);
  const { next, intent } = parseSignInQuery(url);
  const back = loginPath(loginRole, { next: next ?? undefined, intent: intent ?? undefined });
  return redirectWithToast(back, resetMailedMessage(loginRole));
}

async function resendConfirmation(
  url: URL,
  { ctx, text }: Submission,
): Promise<Stay<never> | Refusal<never>> {
  const result = await resendVerification(ctx, { email: text('email'), next: parseSignInQuery(url).next });
  return result.ok ? { ok: true, toast: { title: accountMessages.signedUp } } : invalid(result.errors);
}
