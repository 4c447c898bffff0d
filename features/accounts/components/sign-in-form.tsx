import { useEffect } from 'react';
import { Form, Link, useNavigation } from 'react-router';
import { Button } from '#ui/button.tsx';
import { PasswordInput } from '#ui/password-input.tsx';
import { TextInput } from '#ui/text-input.tsx';
import { dismissToast, toastStore } from '#ui/toast.ts';

interface SignInFormProps {
  action: string;
  forgotPath: string;
  errors?: Partial<Record<string, string>> | undefined;
  email?: string | undefined;
}

/** E-mail, password, and the way out for who forgot it (S0 §2). */
export function SignInForm({ action, forgotPath, errors = {}, email }: SignInFormProps) {
  const busy = useBusy('sign-in', action);
  return (
    <Form method="post" action={action} noValidate>
      <input type="hidden" name="form" value="sign-in" />
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
    </Form>
  );
}

interface ResetRequestFormProps {
  action: string;
  signInPath: string;
  errors?: Partial<Record<string, string>> | undefined;
  email?: string | undefined;
}

/** Asks for the mail that sets a new password (S0 §2, S1 §2). */
export function ResetRequestForm({ action, signInPath, errors = {}, email }: ResetRequestFormProps) {
  const busy = useBusy('forgot', action);
  return (
    <Form method="post" action={action} noValidate>
      <input type="hidden" name="form" value="forgot" />
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

/** Mails the confirmation again (B-091). */
export function ResendForm({ action, email }: { action?: string; email: string }) {
  const busy = useBusy('resend', action);
  return (
    <Form method="post" action={action} className="mt-3">
      <input type="hidden" name="form" value="resend" />
      <input type="hidden" name="email" value={email} />
      <Button type="submit" variant="outline" size="sm" className="justify-self-start" busy={busy}>
        Resend
      </Button>
    </Form>
  );
}

/** The accounts of a demo market, each entered with one click, with or without scripts. */
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
          <input type="hidden" name="form" value="sign-in" />
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

/** True while the named form of this page is on its way; what a toast said of the last try is over then. */
export function useBusy(form: string, action?: string): boolean {
  const { state, formData, formAction } = useNavigation();
  const named = state !== 'idle' && formData?.get('form') === form;
  const busy = named && (action === undefined || formAction === action);
  useEffect(() => {
    const shown = busy ? toastStore.get() : null;
    if (shown) dismissToast(shown.id);
  }, [busy]);
  return busy;
}
