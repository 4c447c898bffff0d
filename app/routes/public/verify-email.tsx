import { Form, Link } from 'react-router';
import { preserveInput, textFields } from '#app/actions/preserve-input.ts';
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
import { resendVerification } from '#features/accounts/commands/resend-verification.ts';
import { verifyEmail } from '#features/accounts/commands/verify-email.ts';
import { useBusy } from '#features/accounts/components/sign-in-form.tsx';
import { confirmationAsksPassword } from '#features/accounts/reads.ts';
import { accountMessages, loginPath, safeNext } from '#features/accounts/rules.ts';
import { paths } from '#routing/paths.ts';
import { Button } from '#ui/button.tsx';
import { FlashToast } from '#ui/flash-toast.tsx';
import { useFocusInvalid } from '#ui/focus-invalid.ts';
import { IntentField } from '#ui/intent-field.tsx';
import { Notice } from '#ui/notice.tsx';
import { PasswordInput } from '#ui/password-input.tsx';
import { TextInput } from '#ui/text-input.tsx';
import type { Route } from './+types/verify-email';

const refusals = {
  missing: 'This link is incomplete. Please open it from the email, or request a new one.',
  invalid: 'This link is not valid. Please request a new one.',
  expired: 'This link has expired. Please request a new one.',
};

const wrongPassword = 'This is not the password of the latest sign-up with this address.';

const CONFIRMED = { title: 'Email confirmed', text: 'You can sign in now.' };
const USED = {
  title: 'Email already confirmed',
  text: 'This link was used before. You can sign in.',
  tone: 'info',
} as const;

export async function loader({ url, request, context }: Route.LoaderArgs) {
  const token = url.searchParams.get('token');
  const cookie = request.headers.get('cookie');
  return {
    token,
    asksPassword: token !== null && (await confirmationAsksPassword(getCtx(context), { token, cookie })),
    // Checked when it is followed, after the form.
    next: url.searchParams.get('next'),
  };
}

/** Confirms by pressing a button and not by opening the link, so that mail scanners that follow links confirm nothing. */
export const action = (args: Route.ActionArgs) =>
  runAction(args, {
    intents: { resend, confirm },
    fallback: 'confirm',
    preserve: ['email'],
    messages: { failed: `${accountMessages.unexpected}.` },
  });

async function resend({ ctx, text }: Submission): Promise<Response | Refusal> {
  const result = await resendVerification(ctx, { email: text('email'), next: text('next') });
  return result.ok
    ? redirectWithToast(paths.home(), { title: accountMessages.signedUp })
    : invalid(result.errors);
}

async function confirm({ ctx, request, text }: Submission): Promise<Response | Refusal> {
  const cookie = request.headers.get('cookie');
  const result = await verifyEmail(ctx, { token: text('token'), password: text('password'), cookie });
  if (result.ok) {
    const next = safeNext(text('next')) ?? undefined;
    return redirectWithToast(loginPath(result.role, { next }), result.used ? USED : CONFIRMED);
  }
  if (result.reason === 'wrong_password')
    return {
      ...invalid({ password: text('password') ? wrongPassword : 'Password is required' }),
      status: 401,
    };
  return { ...invalid({ token: refusals[result.reason] }), status: 400 };
}

export const clientAction = (args: Route.ClientActionArgs) =>
  preserveInput(args, {
    inputOf: textFields('email'),
    toast: { title: 'Error', text: `${accountMessages.unexpected}.` },
    refusalsLeave: true,
  });

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Confirm your email', hidden: true });

export default function VerifyEmail({ loaderData, actionData }: Route.ComponentProps) {
  const { token, next, asksPassword } = loaderData;
  const confirming = useBusy('confirm');
  const resending = useBusy('resend');
  useFocusInvalid(actionData?.errors);
  const refused = actionData?.errors?.token ?? (token ? null : refusals.missing);
  const showResend = refused !== null || actionData?.intent === 'resend';
  return (
    <AuthCard title="Confirm your email" back={{ href: paths.home(), label: 'Back to Home' }}>
      {refused && (
        <Notice tone="bad">
          <p>{refused}</p>
        </Notice>
      )}
      {showResend ? (
        <Form method="post" noValidate>
          <IntentField is="resend" />
          {next && <input type="hidden" name="next" value={next} />}
          <TextInput
            label="Email"
            name="email"
            type="email"
            autoComplete="email"
            large
            required
            defaultValue={actionData?.input?.email}
            error={actionData?.errors?.email}
          />
          <Button type="submit" size="lg" wide busy={resending}>
            Resend
          </Button>
        </Form>
      ) : (
        <Form method="post" noValidate>
          <IntentField is="confirm" />
          <input type="hidden" name="token" value={token ?? ''} />
          {next && <input type="hidden" name="next" value={next} />}
          {asksPassword && <ChosenPassword error={actionData?.errors?.password} />}
          <Button type="submit" size="lg" wide busy={confirming}>
            Confirm email address
          </Button>
        </Form>
      )}
      <FlashToast toast={actionData?.toast} />
    </AuthCard>
  );
}

/** Somebody else may have signed up with the address: only whoever chose the password confirms it, or sets a new one by mail. */
function ChosenPassword({ error }: { error: string | undefined }) {
  return (
    <>
      <PasswordInput
        label="Password"
        name="password"
        hint="The one you chose when you signed up"
        autoComplete="current-password"
        large
        required
        error={error}
      />
      <Link className="link" to={paths.buyerLogin({ forgot: 1 })}>
        Set a new password instead
      </Link>
    </>
  );
}
