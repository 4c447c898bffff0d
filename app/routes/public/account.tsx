import { data, Form } from 'react-router';
import { handleAccountForm, signedInScope } from '#app/actions/account.actions.ts';
import { preserveInput, textFields } from '#app/actions/preserve-input.ts';
import { pageMeta } from '#app/page-meta.ts';
import { readOrNull } from '#app/read-or.ts';
import { useSite } from '#app/site.ts';
import { Identity } from '#features/accounts/components/identity.tsx';
import { ConfirmPassword, NewPassword } from '#features/accounts/components/new-password-fields.tsx';
import { useBusy } from '#features/accounts/components/sign-in-form.tsx';
import { ownSessions } from '#features/accounts/reads.ts';
import { accountMessages, mayChangeOwnIdentity } from '#features/accounts/rules.ts';
import { notificationPreferences } from '#features/notifications/reads.ts';
import { CloseAccount } from '#features/personal-data/components/close-account.tsx';
import { OwnData } from '#features/personal-data/components/own-data.tsx';
import { mayCloseAccount, personalDataMessages } from '#features/personal-data/rules.ts';
import { weeklyMailChoice } from '#features/reports/reads.ts';
import { mayReadReports } from '#features/reports/rules.ts';
import { signInPaths } from '#routing/sign-in-paths.ts';
import { Button, ButtonLink } from '#ui/button.tsx';
import { ErrorState } from '#ui/error-state.tsx';
import { FlashToast } from '#ui/flash-toast.tsx';
import { useFocusInvalid } from '#ui/focus-invalid.ts';
import { IntentField } from '#ui/intent-field.tsx';
import { loadedLater } from '#ui/loaded-later.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { Panel } from '#ui/panel.tsx';
import { PasswordInput } from '#ui/password-input.tsx';
import { useRetry } from '#ui/use-retry.ts';
import type { Route } from './+types/account';

const MailPreferences = loadedLater(
  async () => (await import('#features/notifications/components/mail-preferences.tsx')).MailPreferences,
);
const SessionList = loadedLater(
  async () => (await import('#features/accounts/components/session-list.tsx')).SessionList,
);

export async function loader({ context }: Route.LoaderArgs) {
  const { ctx, sessionId } = signedInScope(context);
  const [sessions, preferences, weekly] = await Promise.all([
    readOrNull(ctx, () => ownSessions(ctx, sessionId)),
    readOrNull(ctx, () => notificationPreferences(ctx)),
    readOrNull(ctx, async () => ({
      report: mayReadReports(ctx.actor) ? (await weeklyMailChoice(ctx)).wanted : null,
    })),
  ]);
  const failed = !sessions || !preferences || !weekly;
  return data(
    {
      sessions,
      mails: preferences && weekly && { preferences, weeklyReport: weekly.report },
      mayClose: mayCloseAccount(ctx.actor),
      mayRename: mayChangeOwnIdentity(ctx.actor),
    },
    failed ? { status: 503 } : undefined,
  );
}

export const action = (args: Route.ActionArgs) => handleAccountForm(args);

export const clientAction = (args: Route.ClientActionArgs) =>
  preserveInput(args, {
    inputOf: textFields('name', 'email'),
    toast: (intent) => ({
      title: 'Error',
      text: intent === 'close' ? personalDataMessages.closeFailed : accountMessages.resetUnexpected,
    }),
    refusalsLeave: true,
  });

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Account settings', hidden: true });

export default function Account({ loaderData, actionData }: Route.ComponentProps) {
  const { sessions, mails, mayClose, mayRename } = loaderData;
  const viewer = useSite()?.viewer;
  const errors = actionData?.errors ?? {};
  useFocusInvalid(actionData?.errors);
  return (
    <>
      <PageHead title="Account settings" />
      <div className="columns">
        <Panel title="Name and email" inset>
          {viewer && mayRename ? (
            <Identity viewer={viewer} errors={errors} typed={actionData?.input} />
          ) : (
            <p className="hint">
              {viewer?.name}, {viewer?.email}. Buyers see both; administrators of the marketplace change them.
            </p>
          )}
        </Panel>
        <Panel title="Notifications" inset>
          {mails ? (
            <MailPreferences {...mails} errors={errors} />
          ) : (
            <NotLoaded title="Your preferences could not be loaded." />
          )}
        </Panel>
        <Panel title="Change password" inset>
          <ChangePassword errors={errors} />
        </Panel>
        <Panel title="Sign-in security" inset>
          <p className="hint">
            An authenticator app or a passkey keeps others out, even if they learn your password.
          </p>
          <ButtonLink className="mt-4" variant="outline" to={signInPaths.security()}>
            Set up or change
          </ButtonLink>
        </Panel>
        <Panel title="Sessions" inset>
          {sessions ? (
            <SessionList sessions={sessions} />
          ) : (
            <NotLoaded title="Your sessions could not be loaded." />
          )}
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

const NotLoaded = ({ title }: { title: string }) => <ErrorState title={title} retry={useRetry()} />;
