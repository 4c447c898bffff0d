import { useEffect, useState } from 'react';
import { data, Form, Link, redirect } from 'react-router';
import { formOf } from '#app/form.ts';
import { pageMeta } from '#app/page-meta.ts';
import { paths } from '#app/paths.ts';
import { getCtx } from '#app/request.ts';
import { AuthCard } from '#app/shell/auth-card.tsx';
import { answering, type FormAnswer, refuse, typedText } from '#app/sign-in/answer.ts';
import { clearResetCookie, resetCookie, resetTokenOf } from '#app/sign-in/reset-cookie.ts';
import { resetPassword } from '#features/accounts/commands/reset-password.ts';
import { ConfirmPassword, NewPassword } from '#features/accounts/components/new-password-fields.tsx';
import { useBusy } from '#features/accounts/components/sign-in-form.tsx';
import { resetTokenWorks } from '#features/accounts/reads.ts';
import { loginPath, texts } from '#features/accounts/rules.ts';
import type { Role } from '#platform/context.ts';
import { Button, ButtonLink } from '#ui/button.tsx';
import { FlashToast } from '#ui/flash-toast.tsx';
import { useFocusInvalid } from '#ui/focus-invalid.ts';
import { Notice } from '#ui/notice.tsx';
import type { Route } from './+types/reset-password';

const ROLES: readonly string[] = ['buyer', 'agent', 'admin'] satisfies Role[];

/** Takes the token of the mailed link out of the address at once and keeps it for the form (B-008, B-094). */
export async function loader({ request, url, context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  const done = url.searchParams.get('done') ?? '';
  if (ROLES.includes(done)) return { state: 'done' as const, loginPath: loginPath(done as Role) };
  const mailed = url.searchParams.get('token') ?? url.searchParams.get('code');
  if (mailed) {
    throw redirect(paths.resetPassword(), { headers: { 'set-cookie': resetCookie(ctx.config, mailed) } });
  }
  const token = resetTokenOf(request);
  if (token === null) return { state: 'missing' as const };
  return { state: (await resetTokenWorks(ctx, token)) ? ('ready' as const) : ('refused' as const) };
}

export async function action({ request, context }: Route.ActionArgs) {
  const ctx = getCtx(context);
  const form = await formOf(request);
  const token = typedText(form, 'token') || resetTokenOf(request);
  const answer: FormAnswer = { form: 'reset' };
  if (!token) return refuse({ ...answer, errors: { token: texts.resetTokenMissing } }, 400);
  const failure = { answer, title: texts.resetNotSaved, unexpected: texts.resetUnexpected };
  return answering(ctx, failure, async () => {
    const result = await resetPassword(ctx, {
      token,
      password: typedText(form, 'password'),
      confirm: typedText(form, 'confirm'),
    });
    const clear = { 'set-cookie': clearResetCookie(ctx.config) };
    if (result.ok) return redirect(paths.resetPassword({ done: result.role }), { headers: clear });
    if (result.reason === 'invalid') return refuse({ ...answer, errors: result.errors });
    const toast = { title: texts.resetNotSaved, text: texts.resetTokenRefused, tone: 'bad' as const };
    const refused: FormAnswer = { ...answer, errors: { token: texts.resetTokenRefused }, toast };
    return data(refused, { status: 400, headers: clear });
  });
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Reset Password', hidden: true });

export default function ResetPassword({ loaderData, actionData }: Route.ComponentProps) {
  const busy = useBusy('reset');
  const fromHash = useTokenFromHash();
  useFocusInvalid(actionData?.errors);
  if (loaderData.state === 'done') return <Done loginPath={loaderData.loginPath} />;
  const usable = loaderData.state === 'ready' || fromHash !== null;
  const { errors } = actionData ?? {};
  const complaint = errors?.token ?? (usable ? null : complaints[loaderData.state]);
  return (
    <AuthCard title="Reset Password" lead="Choose a new password for your account">
      {complaint && (
        <Notice tone="bad">
          <p>{complaint}</p>
          <Link className="link" to={paths.buyerLogin({ forgot: 1 })}>
            Send Reset Link
          </Link>
        </Notice>
      )}
      <Form method="post" noValidate>
        <input type="hidden" name="form" value="reset" />
        {fromHash !== null && <input type="hidden" name="token" value={fromHash} />}
        <NewPassword label="New Password" error={errors?.password} />
        <ConfirmPassword error={errors?.confirm} />
        <Button type="submit" size="lg" wide busy={busy} disabled={!usable}>
          Reset Password
        </Button>
      </Form>
      <Notice tone="warn">
        <p>This page is only reachable through the link in the password reset email.</p>
      </Notice>
      <FlashToast toast={actionData?.toast} />
    </AuthCard>
  );
}

const complaints = {
  ready: null,
  missing: texts.resetTokenMissing,
  refused: texts.resetTokenRefused,
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

/** The token of a link that carries it behind the hash, taken out of the address and the history (B-094). */
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
