import { Form } from 'react-router';
import { handleAccountForm, signedInScope } from '#app/actions/account.actions.ts';
import { pageMeta } from '#app/page-meta.ts';
import { ConfirmPassword, NewPassword } from '#features/accounts/components/new-password-fields.tsx';
import { SessionList } from '#features/accounts/components/session-list.tsx';
import { useBusy } from '#features/accounts/components/sign-in-form.tsx';
import { ownSessions } from '#features/accounts/reads.ts';
import { MailPreferences } from '#features/notifications/components/mail-preferences.tsx';
import { notificationPreferences } from '#features/notifications/reads.ts';
import { CloseAccount } from '#features/personal-data/components/close-account.tsx';
import { OwnData } from '#features/personal-data/components/own-data.tsx';
import { mayCloseAccount } from '#features/personal-data/rules.ts';
import { Button } from '#ui/button.tsx';
import { FlashToast } from '#ui/flash-toast.tsx';
import { useFocusInvalid } from '#ui/focus-invalid.ts';
import { IntentField } from '#ui/intent-field.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { Panel } from '#ui/panel.tsx';
import { PasswordInput } from '#ui/password-input.tsx';
import type { Route } from './+types/account';

export async function loader({ context }: Route.LoaderArgs) {
  const { ctx, sessionId } = signedInScope(context);
  const [sessions, preferences] = await Promise.all([
    ownSessions(ctx, sessionId),
    notificationPreferences(ctx),
  ]);
  return { sessions, preferences, mayClose: mayCloseAccount(ctx.actor) };
}

export const action = (args: Route.ActionArgs) => handleAccountForm(args);

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Account settings', hidden: true });

export default function Account({ loaderData, actionData }: Route.ComponentProps) {
  const { sessions, preferences, mayClose } = loaderData;
  const errors = actionData?.errors ?? {};
  useFocusInvalid(actionData?.errors);
  return (
    <>
      <PageHead title="Account settings" />
      <div className="g2">
        <Panel title="Notifications" inset>
          <MailPreferences preferences={preferences} errors={errors} />
        </Panel>
        <Panel title="Change password" inset>
          <ChangePassword errors={errors} />
        </Panel>
        <Panel title="Sessions" inset>
          <SessionList sessions={sessions} />
        </Panel>
        <Panel title="Your data" inset>
          <OwnData />
        </Panel>
        {mayClose && (
          <Panel title="Close account" inset>
            <CloseAccount error={errors.closing} />
          </Panel>
        )}
      </div>
      <FlashToast toast={actionData?.toast} />
    </>
  );
}

function ChangePassword({ errors }: { errors: Partial<Record<string, string>> }) {
  const busy = useBusy('password');
  return (
    <Form method="post" noValidate className="grid gap-5">
      <IntentField is="password" />
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
  );
}
