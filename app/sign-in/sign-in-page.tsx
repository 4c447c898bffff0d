import { Link } from 'react-router';
import { paths } from '#app/paths.ts';
import { AuthCard } from '#app/shell/auth-card.tsx';
import { LogoutForm } from '#app/shell/logout-form.tsx';
import {
  DemoAccounts,
  ResendForm,
  ResetRequestForm,
  SignInForm,
} from '#features/accounts/components/sign-in-form.tsx';
import { type Door, otherAccountNotice, roleWords } from '#features/accounts/rules.ts';
import { Button } from '#ui/button.tsx';
import { FlashToast } from '#ui/flash-toast.tsx';
import { useFocusInvalid } from '#ui/focus-invalid.ts';
import { Notice } from '#ui/notice.tsx';
import type { FormAnswer } from './answer.ts';
import type { loadDoor } from './door.ts';

const words: Record<Door, { title: string; lead?: string }> = {
  buyer: { title: 'Welcome Back', lead: 'Sign in to your buyer account' },
  agent: { title: 'Seller Login' },
  admin: { title: 'Admin Login' },
};

const resetWords = { title: 'Reset Password', lead: 'Enter your email to receive a password reset link' };

interface SignInPageProps {
  page: ReturnType<typeof loadDoor>;
  answer: FormAnswer | undefined;
}

/** The sign-in page of a role: the form, or the one that mails a reset link (S0 §2, S1 §2). */
export function SignInPage({ page, answer }: SignInPageProps) {
  const { door, forgot, here, forgotPath, viewer } = page;
  const about = answer?.form === (forgot ? 'forgot' : 'sign-in') ? answer : undefined;
  useFocusInvalid(about?.errors);
  return (
    <AuthCard
      {...(forgot ? resetWords : words[door])}
      back={{ href: paths.home(), label: 'Back to Home' }}
      foot={door === 'buyer' && !forgot && <NewHere signupPath={page.signupPath} />}
    >
      {viewer && <SignedInAs door={door} {...viewer} />}
      {about?.resend && <Unconfirmed action={here} email={about.email ?? ''} />}
      {forgot ? (
        <ResetRequestForm action={forgotPath} signInPath={here} errors={about?.errors} email={about?.email} />
      ) : (
        <SignInForm action={here} forgotPath={forgotPath} errors={about?.errors} email={about?.email} />
      )}
      {!forgot && <DemoAccounts action={here} accounts={page.demoAccounts} />}
      <FlashToast toast={answer?.toast} />
    </AuthCard>
  );
}

/** Says which other account is signed in, so that nobody goes round in circles (B-010, B-012). */
export function SignedInAs({ door, email, role }: { door: Door; email: string; role: Door }) {
  return (
    <Notice tone="warn">
      <p>{door === 'buyer' ? otherAccountNotice(role) : `You are signed in as ${roleWords[role]}`}</p>
      <p>{email}</p>
      <LogoutForm>
        <Button type="submit" variant="link" className="justify-self-start">
          Logout
        </Button>
      </LogoutForm>
    </Notice>
  );
}

function Unconfirmed({ action, email }: { action: string; email: string }) {
  return (
    <Notice tone="warn" title="Email not confirmed">
      <p>Open the link that we mailed you, or ask for another one.</p>
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
