import { finishSignIn } from '#features/accounts/commands/finish-sign-in.ts';
import { signInWithPasskey } from '#features/accounts/commands/sign-in-with-passkey.ts';
import { accountMessages, type LoginRole, loginPath } from '#features/accounts/rules.ts';
import { factorMessages } from '#features/factors/rules.ts';
import { signInPaths } from '#routing/sign-in-paths.ts';
import {
  type ActionArgs,
  type Refusal,
  redirectWithToast,
  runAction,
  type Submission,
} from './run-action.ts';
import { parseSignInQuery, redirectAfterSignIn } from './sign-in.actions.ts';
import { clearStepCookie, stepOf } from './step-cookie.ts';

const ROLES: readonly LoginRole[] = ['buyer', 'agent', 'admin'];

/** The sign-in page that somebody came from. */
export const loginRoleOf = (url: URL): LoginRole =>
  ROLES.find((role) => role === url.searchParams.get('role')) ?? 'buyer';

interface StepArgs extends ActionArgs {
  url: URL;
}

/** Handles the forms of the second step of a sign-in, and of signing in with a passkey alone. */
export const handleSignInStep = (args: StepArgs) =>
  runAction(args, {
    intents: {
      code: (submission) => finish(args.url, submission, 'code'),
      recovery: (submission) => finish(args.url, submission, 'recoveryCode'),
      passkey: (submission) =>
        stepOf(submission.ctx.config, submission.request)
          ? finish(args.url, submission, 'passkey')
          : withPasskey(args.url, submission),
    },
    messages: { title: accountMessages.loginFailed, failed: accountMessages.unexpected },
  });

const wrong = {
  code: factorMessages.wrongCode,
  recoveryCode: factorMessages.wrongRecoveryCode,
  passkey: factorMessages.wrongPasskey,
};

async function finish(
  url: URL,
  { ctx, request, scope, text }: Submission,
  by: 'code' | 'recoveryCode' | 'passkey',
): Promise<Response | Refusal> {
  const given = text(by);
  if (!given) return { ok: false, errors: { [by]: 'Please enter it' } };
  const result = await finishSignIn(ctx, {
    step: stepOf(ctx.config, request) ?? '',
    [by]: given,
    userAgent: request.headers.get('user-agent'),
    currentSessionId: scope.sessionId,
  });
  if (result.ok) {
    const cookies = [...result.cookies, clearStepCookie(ctx.config)];
    return redirectAfterSignIn(result.loginRole, url, { ...ctx, actor: result.actor }, cookies);
  }
  if (result.reason === 'expired') return again(url, ctx.config, factorMessages.stepExpired);
  // A passkey answers a challenge once; the page comes again with another one.
  if (by === 'passkey') return here(url, wrong.passkey);
  return { ok: false, status: 401, errors: { [by]: wrong[by] } };
}

async function withPasskey(url: URL, { ctx, request, scope, text }: Submission): Promise<Response> {
  const loginRole = loginRoleOf(url);
  const result = await signInWithPasskey(ctx, {
    loginRole,
    passkey: text('passkey'),
    userAgent: request.headers.get('user-agent'),
    currentSessionId: scope.sessionId,
  });
  if (result.ok) return redirectAfterSignIn(loginRole, url, { ...ctx, actor: result.actor }, result.cookies);
  return result.reason === 'wrong_login' ? again(url, ctx.config, result.message) : here(url, wrong.passkey);
}

const failed = (text: string) => ({ title: accountMessages.loginFailed, text, tone: 'bad' as const });

/** The sign-in page, where everything begins anew. */
function again(url: URL, config: Submission['ctx']['config'], text: string): Response {
  const { next, intent } = parseSignInQuery(url);
  const to = loginPath(loginRoleOf(url), { next: next ?? undefined, intent: intent ?? undefined });
  return redirectWithToast(to, failed(text), { cookies: [clearStepCookie(config)] });
}

function here(url: URL, text: string): Response {
  const { next, intent } = parseSignInQuery(url);
  const query = { role: loginRoleOf(url), next: next ?? undefined, intent: intent ?? undefined };
  return redirectWithToast(signInPaths.step(query), failed(text));
}
