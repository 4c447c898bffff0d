import { useState } from 'react';
import { Link } from 'react-router';
import { AuthCard } from '#app/shell/auth-card.tsx';
import { LogoutForm } from '#app/shell/logout-form.tsx';
import {
  DemoAccounts,
  ResendForm,
  ResetRequestForm,
  SignInForm,
} from '#features/accounts/components/sign-in-form.tsx';
import { type LoginRole, otherAccountNotice, roleLabels } from '#features/accounts/rules.ts';
import { paths } from '#routing/paths.ts';
import { Button } from '#ui/button.tsx';
import { FlashToast } from '#ui/flash-toast.tsx';
import { useFocusInvalid } from '#ui/focus-invalid.ts';
import { Notice } from '#ui/notice.tsx';
import type { loadSignIn, SignInAnswer } from '../../actions/sign-in.actions.ts';

const headings: Record<LoginRole, { title: string; lead?: string }> = {
  buyer: { title: 'Welcome Back', lead: 'Sign in to your buyer account' },
  agent: { title: 'Seller Login' },
  admin: { title: 'Admin Login' },
};

const resetHeading = { title: 'Reset Password', lead: 'Enter your email to receive a password reset link' };

interface SignInPageProps {
  page: ReturnType<typeof loadSignIn>;
  answer: SignInAnswer | undefined;
}

/** The sign-in page of a role: the sign-in form, or the one that mails a reset link. */
export function SignInPage({ page, answer }: SignInPageProps) {
  const { loginRole, forgot, here, forgotPath, viewer } = page;
  // The button that mails another confirmation stands above the sign-in form and answers in it.
  const resending = answer?.intent === 'resend';
  const ofSignIn = answer?.intent === 'sign-in' || resending;
  const formAnswer = (forgot ? answer?.intent === 'forgot' : ofSignIn) ? answer : undefined;
  const email = formAnswer?.input?.email;
  // What was typed before a redirect: once read it stays, though its cookie does not.
  const [typedEmail] = useState(page.typedEmail);
  useFocusInvalid(formAnswer?.errors);
  return (
    <AuthCard
      {...(forgot ? resetHeading : headings[loginRole])}
      back={{ href: paths.home(), label: 'Back to Home' }}
      foot={loginRole === 'buyer' && !forgot && <NewHere signupPath={page.signupPath} />}
    >
      {viewer && <SignedInAs loginRole={loginRole} {...viewer} />}
      {(formAnswer?.resend || (resending && !forgot)) && (
        <UnconfirmedNotice action={here} email={email ?? ''} />
      )}
      {forgot ? (
        <ResetRequestForm action={forgotPath} signInPath={here} errors={formAnswer?.errors} email={email} />
      ) : (
        <SignInForm
          action={here}
          forgotPath={forgotPath}
          passkeyPath={page.passkeyPath}
          errors={formAnswer?.errors}
          email={email ?? typedEmail}
        />
      )}
      {!forgot && <DemoAccounts action={here} accounts={page.demoAccounts} />}
      <FlashToast toast={answer?.toast} />
    </AuthCard>
  );
}

/** Says which other account is signed in, so that nobody goes round in circles. */
export function SignedInAs({
  loginRole,
  email,
  role,
}: {
  loginRole: LoginRole;
  email: string;
  role: LoginRole;
}) {
  return (
    <Notice tone="warn">
      <p>{loginRole === 'buyer' ? otherAccountNotice(role) : `You are signed in as ${roleLabels[role]}`}</p>
      <p>{email}</p>
      <LogoutForm>
        <Button type="submit" variant="link" className="justify-self-start">
          Logout
        </Button>
      </LogoutForm>
    </Notice>
  );
}

function UnconfirmedNotice({ action, email }: { action: string; email: string }) {
  return (
    <Notice tone="warn" title="Email not confirmed">
      <p>Open the link we emailed you, or request a new one.</p>
      <ResendForm action={action} email={email} />
    </Notice>
  );
}

function NewHere({ signupPath }: { signupPath: string }) {
  return (
    <p>
      New here?{' '}
      <Link className="link" to={signupPath}>
        Create your buyer account
      </Link>
    </p>
  );
}
