import { useEffect } from 'react';
import { Form, Link, useNavigation } from 'react-router';
import { Button } from '#ui/button.tsx';
import { IntentField } from '#ui/intent-field.tsx';
import { PasswordInput } from '#ui/password-input.tsx';
import { TextInput } from '#ui/text-input.tsx';
import { TimeZoneField } from '#ui/time-zone.tsx';
import { dismissToast, toastStore } from '#ui/toast.ts';
import { usePendingForm } from '#ui/use-pending.ts';

interface SignInFormProps {
  action: string;
  forgotPath: string;
  passkeyPath: string;
  errors?: Partial<Record<string, string>> | undefined;
  email?: string | undefined;
}

/** E-mail, password, a link for a forgotten password and one to sign in without. */
export function SignInForm({ action, forgotPath, passkeyPath, errors = {}, email }: SignInFormProps) {
  const busy = useBusy('sign-in', action);
  return (
    <Form method="post" action={action} noValidate>
      <IntentField is="sign-in" />
      <TimeZoneField />
      <TextInput
        label="Email"
        name="email"
        type="email"
        autoComplete="username"
        large
        required
        defaultValue={email}
        error={errors.email}
      />
      <PasswordInput
        label="Password"
        name="password"
        autoComplete="current-password"
        large
        required
        error={errors.password}
      />
      <Button type="submit" size="lg" wide busy={busy}>
        Sign In
      </Button>
      <Link className="link" to={forgotPath} replace preventScrollReset>
        Forgot password?
      </Link>
      <Link className="link" to={passkeyPath}>
        Sign in with a passkey
      </Link>
    </Form>
  );
}

interface ResetRequestFormProps {
  action: string;
  signInPath: string;
  errors?: Partial<Record<string, string>> | undefined;
  email?: string | undefined;
}

/** Requests the mail with the password reset link. */
export function ResetRequestForm({ action, signInPath, errors = {}, email }: ResetRequestFormProps) {
  const busy = useBusy('forgot', action);
  return (
    <Form method="post" action={action} noValidate>
      <IntentField is="forgot" />
      <TextInput
        label="Email"
        name="email"
        type="email"
        autoComplete="username"
        large
        required
        defaultValue={email}
        error={errors.email}
      />
      <Button type="submit" size="lg" wide busy={busy}>
        Send Reset Link
      </Button>
      <Link className="link" to={signInPath} replace preventScrollReset>
        Back to login
      </Link>
    </Form>
  );
}

/** Requests another confirmation mail. */
export function ResendForm({ action, email }: { action?: string; email: string }) {
  const busy = useBusy('resend', action);
  return (
    <Form method="post" action={action} className="mt-3">
      <IntentField is="resend" />
      <input type="hidden" name="email" value={email} />
      <Button type="submit" variant="outline" size="sm" className="justify-self-start" busy={busy}>
        Resend
      </Button>
    </Form>
  );
}

/** The accounts of the demo marketplace, with one-click sign-in that also works without JavaScript. */
export function DemoAccounts({
  action,
  accounts,
}: {
  action: string;
  accounts: readonly { email: string; password: string }[];
}) {
  if (accounts.length === 0) return null;
  return (
    <section className="stack" aria-label="Demo accounts">
      <p className="hint">This is a demo market. Sign in with one click:</p>
      {accounts.map(({ email, password }) => (
        <Form key={email} method="post" action={action}>
          <IntentField is="sign-in" />
          <TimeZoneField />
          <input type="hidden" name="email" value={email} />
          <input type="hidden" name="password" value={password} />
          <Button type="submit" variant="outline" wide>
            {email}
          </Button>
        </Form>
      ))}
    </section>
  );
}

/** True while the form with this intent is being submitted; dismisses the toast of the previous attempt. */
export function useBusy(intent: string, action?: string): boolean {
  const { formAction } = useNavigation();
  const named = usePendingForm(intent) !== null;
  const busy = named && (action === undefined || formAction === action);
  useEffect(() => {
    const shown = busy ? toastStore.get() : null;
    if (shown) dismissToast(shown.id);
  }, [busy]);
  return busy;
}
