import { Form } from 'react-router';
import { preserveInput, textFields } from '#app/actions/preserve-input.ts';
import { parseSignInQuery } from '#app/actions/sign-in.actions.ts';
import { handleSignInStep, loginRoleOf } from '#app/actions/sign-in-step.actions.ts';
import { stepOf } from '#app/actions/step-cookie.ts';
import { pageMeta } from '#app/page-meta.ts';
import { getCtx } from '#app/request.ts';
import { AuthCard } from '#app/shell/auth-card.tsx';
import { useBusy } from '#features/accounts/components/sign-in-form.tsx';
import { signInStepChoices } from '#features/accounts/reads.ts';
import { accountMessages, loginPath } from '#features/accounts/rules.ts';
import { CodeInput } from '#features/factors/components/code-input.tsx';
import { PasskeyButton } from '#features/factors/components/passkey-button.tsx';
import type { PasskeyRequest } from '#features/factors/model.ts';
import { Button } from '#ui/button.tsx';
import { FlashToast } from '#ui/flash-toast.tsx';
import { useFocusInvalid } from '#ui/focus-invalid.ts';
import { IntentField } from '#ui/intent-field.tsx';
import { TextInput } from '#ui/text-input.tsx';
import type { Route } from './+types/sign-in-step';

export async function loader({ request, url, context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  const { next, intent } = parseSignInQuery(url);
  return {
    ...(await signInStepChoices(ctx, stepOf(ctx.config, request))),
    back: loginPath(loginRoleOf(url), { next: next ?? undefined, intent: intent ?? undefined }),
  };
}

export const action = (args: Route.ActionArgs) => handleSignInStep(args);

export const clientAction = (args: Route.ClientActionArgs) =>
  preserveInput(args, {
    inputOf: textFields(),
    toast: { title: accountMessages.loginFailed, text: accountMessages.unexpected },
    refusalsLeave: true,
  });

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  pageMeta(matches, { title: titleOf(loaderData?.step != null), hidden: true });

const titleOf = (second: boolean) => (second ? 'Second step' : 'Sign in with a passkey');

/** The second step of a sign-in; without a first one, signing in with a passkey alone. */
export default function SignInStep({ loaderData, actionData }: Route.ComponentProps) {
  const { step, passkey, back } = loaderData;
  const errors = actionData?.errors ?? {};
  useFocusInvalid(actionData?.errors);
  return (
    <AuthCard
      title={titleOf(step !== null)}
      lead={
        step
          ? 'Your password is right. Now show that it is you.'
          : 'Your device asks for your fingerprint, your face or its PIN.'
      }
      back={{ href: back, label: 'Back to login' }}
    >
      {step?.code && <CodeForm error={errors.code} />}
      {passkey && <PasskeyForm request={passkey} />}
      {step && <RecoveryForm error={errors.recoveryCode} />}
      <FlashToast toast={actionData?.toast} />
    </AuthCard>
  );
}

function CodeForm({ error }: { error: string | undefined }) {
  const busy = useBusy('code');
  return (
    <Form method="post" noValidate>
      <IntentField is="code" />
      <CodeInput label="Code of your authenticator app" name="code" large error={error} />
      <Button type="submit" size="lg" wide busy={busy}>
        Sign In
      </Button>
    </Form>
  );
}

function PasskeyForm({ request }: { request: PasskeyRequest }) {
  const busy = useBusy('passkey');
  return (
    <Form method="post">
      <IntentField is="passkey" />
      <PasskeyButton label="Use a passkey" request={request} name="passkey" busy={busy} />
      <noscript>
        <p className="hint">A passkey needs JavaScript.</p>
      </noscript>
    </Form>
  );
}

function RecoveryForm({ error }: { error: string | undefined }) {
  const busy = useBusy('recovery');
  return (
    <details open={error !== undefined}>
      <summary className="link">Use a recovery code</summary>
      <Form method="post" noValidate className="mt-4 grid gap-5">
        <IntentField is="recovery" />
        <TextInput
          label="Recovery code"
          name="recoveryCode"
          autoComplete="off"
          spellCheck={false}
          autoCapitalize="none"
          large
          error={error}
        />
        <Button type="submit" variant="outline" size="lg" wide busy={busy}>
          Sign In
        </Button>
      </Form>
    </details>
  );
}
