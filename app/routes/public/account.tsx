import { Form, redirect } from 'react-router';
import { setFlash } from '#app/flash.ts';
import { formOf } from '#app/form.ts';
import { pageMeta } from '#app/page-meta.ts';
import { paths } from '#app/paths.ts';
import { getCtx, getScope } from '#app/request.ts';
import { answering, type FormAnswer, refuse, typedText } from '#app/sign-in/answer.ts';
import { changePassword } from '#features/accounts/commands/change-password.ts';
import { revokeSession } from '#features/accounts/commands/revoke-session.ts';
import { ConfirmPassword, NewPassword } from '#features/accounts/components/new-password-fields.tsx';
import { SessionList } from '#features/accounts/components/session-list.tsx';
import { useBusy } from '#features/accounts/components/sign-in-form.tsx';
import { ownSessions } from '#features/accounts/reads.ts';
import { mayManageOwnSessions, texts } from '#features/accounts/rules.ts';
import { NotFound } from '#platform/errors.ts';
import { Button } from '#ui/button.tsx';
import { FlashToast } from '#ui/flash-toast.tsx';
import { useFocusInvalid } from '#ui/focus-invalid.ts';
import { PageHead } from '#ui/page-head.tsx';
import { Panel } from '#ui/panel.tsx';
import { PasswordInput } from '#ui/password-input.tsx';
import type { Route } from './+types/account';

type Scoped = Route.LoaderArgs['context'];

function signedInScope(context: Scoped) {
  if (!mayManageOwnSessions(getCtx(context).actor))
    throw redirect(paths.buyerLogin({ next: paths.account() }));
  return getScope(context);
}

export async function loader({ context }: Route.LoaderArgs) {
  const { ctx, sessionId } = signedInScope(context);
  return { sessions: await ownSessions(ctx, sessionId) };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { ctx, sessionId } = signedInScope(context);
  const form = await formOf(request);
  const wish = typedText(form, 'form') === 'revoke' ? 'revoke' : 'password';
  const failure = { answer: { form: wish }, title: 'Error', unexpected: texts.resetUnexpected };
  return answering(ctx, failure, async () => {
    if (wish === 'revoke') {
      // A session that has ended meanwhile is what was wanted.
      await revokeSession(ctx, { sessionId: typedText(form, 'session') }).catch((error: unknown) => {
        if (!(error instanceof NotFound)) throw error;
      });
      return redirect(paths.account(), { headers: { 'set-cookie': setFlash({ title: 'Signed out' }) } });
    }
    const result = await changePassword(ctx, {
      current: typedText(form, 'current'),
      password: typedText(form, 'password'),
      confirm: typedText(form, 'confirm'),
      currentSessionId: sessionId,
    });
    if (!result.ok) return refuse({ form: wish, errors: result.errors } satisfies FormAnswer);
    const toast = { title: 'Password changed', text: 'All other sessions were signed out.' };
    return redirect(paths.account(), { headers: { 'set-cookie': setFlash(toast) } });
  });
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Password and sessions', hidden: true });

export default function Account({ loaderData, actionData }: Route.ComponentProps) {
  const busy = useBusy('password');
  const errors = actionData?.errors ?? {};
  useFocusInvalid(actionData?.errors);
  return (
    <>
      <PageHead title="Password and sessions" />
      <div className="g2">
        <Panel title="Sessions" inset>
          <SessionList sessions={loaderData.sessions} />
        </Panel>
        <Panel title="Change password" inset>
          <Form method="post" noValidate className="grid gap-5">
            <input type="hidden" name="form" value="password" />
            <PasswordInput
              label="Current Password"
              name="current"
              autoComplete="current-password"
              large
              required
              error={errors.current}
            />
            <NewPassword label="New Password" error={errors.password} />
            <ConfirmPassword error={errors.confirm} />
            <Button type="submit" size="lg" busy={busy}>
              Change password
            </Button>
          </Form>
        </Panel>
      </div>
      <FlashToast toast={actionData?.toast} />
    </>
  );
}
