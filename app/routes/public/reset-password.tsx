import { useEffect, useState } from 'react';
import { Form, Link, redirect } from 'react-router';
import { preserveInput, textFields } from '#app/actions/preserve-input.ts';
import { clearResetCookie, resetCookie, resetTokenOf } from '#app/actions/reset-cookie.ts';
import {
  invalid,
  type Refusal,
  redirectWithToast,
  runAction,
  type Submission,
} from '#app/actions/run-action.ts';
import { pageMeta } from '#app/page-meta.ts';
import { getCtx } from '#app/request.ts';
import { AuthCard } from '#app/shell/auth-card.tsx';
import { resetPassword } from '#features/accounts/commands/reset-password.ts';
import { ConfirmPassword, NewPassword } from '#features/accounts/components/new-password-fields.tsx';
import { useBusy } from '#features/accounts/components/sign-in-form.tsx';
import { isResetTokenValid } from '#features/accounts/reads.ts';
import { accountMessages, loginPath } from '#features/accounts/rules.ts';
import type { Role } from '#platform/context.ts';
import { signInPaths } from '#routing/sign-in-paths.ts';
import { Button, ButtonLink } from '#ui/button.tsx';
import { FlashToast } from '#ui/flash-toast.tsx';
import { useFocusInvalid } from '#ui/focus-invalid.ts';
import { IntentField } from '#ui/intent-field.tsx';
import { Notice } from '#ui/notice.tsx';
import type { Route } from './+types/reset-password';

const ROLES: readonly Role[] = ['buyer', 'agent', 'admin'];

/** Moves the token of the mailed link from the URL into a cookie for the form. */
export async function loader({ request, url, context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  const roleIn = (name: string) => ROLES.find((role) => role === url.searchParams.get(name));
  const done = roleIn('done');
  if (done) return { state: 'done' as const, loginPath: loginPath(done) };
  const mailed = url.searchParams.get('token') ?? url.searchParams.get('code');
  if (mailed) {
    throw redirect(signInPaths.resetPassword({ role: roleIn('role') }), {
      headers: { 'set-cookie': resetCookie(ctx.config, mailed) },
    });
  }
  const token = resetTokenOf(ctx.config, request);
  const forgotPath = loginPath(roleIn('role') ?? 'buyer', { forgot: 1 });
  if (token === null) return { state: 'missing' as const, forgotPath };
  return {
    forgotPath,
    state: (await isResetTokenValid(ctx, token)) ? ('ready' as const) : ('refused' as const),
    forced: url.searchParams.has('forced'),
  };
}

export const action = (args: Route.ActionArgs) =>
  runAction(args, {
    intents: { reset },
    fallback: 'reset',
    messages: { title: accountMessages.resetNotSaved, failed: accountMessages.resetUnexpected },
  });

async function reset({ ctx, request, text }: Submission): Promise<Response | Refusal> {
  const token = text('token') || resetTokenOf(ctx.config, request);
  if (!token) return { ...invalid({ token: accountMessages.resetTokenMissing }), status: 400 };
  const result = await resetPassword(ctx, { token, password: text('password'), confirm: text('confirm') });
  if (result.ok)
    return redirectWithToast(signInPaths.resetPassword({ done: result.role }), null, {
      cookies: [clearResetCookie(ctx.config), ...result.cookies],
    });
  if (result.reason === 'invalid') return invalid(result.errors);
  const refused = accountMessages.resetTokenRefused;
  const headers = { 'set-cookie': clearResetCookie(ctx.config) };
  return { ...invalid({ token: refused }), status: 400, toast: refused, headers };
}

export const clientAction = (args: Route.ClientActionArgs) =>
  preserveInput(args, {
    inputOf: textFields(),
    toast: { title: accountMessages.resetNotSaved, text: accountMessages.resetUnexpected },
    refusalsLeave: true,
  });

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Reset Password', hidden: true });

export default function ResetPassword({ loaderData, actionData }: Route.ComponentProps) {
  const busy = useBusy('reset');
  const fromHash = useTokenFromHash();
  useFocusInvalid(actionData?.errors);
  if (loaderData.state === 'done') return <Done loginPath={loaderData.loginPath} />;
  const forced = loaderData.state === 'ready' && loaderData.forced;
  const usable = loaderData.state === 'ready' || fromHash !== null;
  const { errors } = actionData ?? {};
  const message = errors?.token ?? (usable ? null : messages[loaderData.state]);
  return (
    <AuthCard
      title={forced ? 'Choose a password of your own' : 'Reset Password'}
      lead={
        forced
          ? 'Your password was set for you. Replace it to finish signing in; only you should know it.'
          : 'Choose a new password for your account'
      }
    >
      {message && (
        <Notice tone="bad">
          <p>{message}</p>
          <Link className="link" to={loaderData.forgotPath}>
            Send Reset Link
          </Link>
        </Notice>
      )}
      <Form method="post" noValidate>
        <IntentField is="reset" />
        {fromHash !== null && <input type="hidden" name="token" value={fromHash} />}
        <NewPassword label="New Password" error={errors?.password} />
        <ConfirmPassword error={errors?.confirm} />
        <Button type="submit" size="lg" wide busy={busy} disabled={!usable}>
          Reset Password
        </Button>
      </Form>
      {!forced && (
        <Notice tone="warn">
          <p>This page is only reachable through the link in the password reset email.</p>
        </Notice>
      )}
      <FlashToast toast={actionData?.toast} />
    </AuthCard>
  );
}

const messages = {
  ready: null,
  missing: accountMessages.resetTokenMissing,
  refused: accountMessages.resetTokenRefused,
};

function Done({ loginPath: to }: { loginPath: string }) {
  return (
    <AuthCard title="Password updated" lead="Sign in with your new password.">
      <ButtonLink to={to} size="lg" wide>
        Go to Login
      </ButtonLink>
    </AuthCard>
  );
}

/** The token of a link that carries it in the fragment, removed from the URL and the history. */
function useTokenFromHash(): string | null {
  const [token, setToken] = useState<string | null>(null);
  useEffect(() => {
    const given = new URLSearchParams(window.location.hash.slice(1)).get('access_token');
    if (!given) return;
    window.history.replaceState(window.history.state, '', window.location.pathname);
    setToken(given);
  }, []);
  return token;
}
