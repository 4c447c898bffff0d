import { Form } from 'react-router';
import {
  invalid,
  type Refusal,
  redirectWithToast,
  runAction,
  type Submission,
} from '#app/actions/run-action.ts';
import { pageMeta } from '#app/page-meta.ts';
import { AuthCard } from '#app/shell/auth-card.tsx';
import { resendVerification } from '#features/accounts/commands/resend-verification.ts';
import { verifyEmail } from '#features/accounts/commands/verify-email.ts';
import { useBusy } from '#features/accounts/components/sign-in-form.tsx';
import { accountMessages, safeNext } from '#features/accounts/rules.ts';
import { paths } from '#routing/paths.ts';
import { Button } from '#ui/button.tsx';
import { FlashToast } from '#ui/flash-toast.tsx';
import { useFocusInvalid } from '#ui/focus-invalid.ts';
import { IntentField } from '#ui/intent-field.tsx';
import { Notice } from '#ui/notice.tsx';
import { TextInput } from '#ui/text-input.tsx';
import type { Route } from './+types/verify-email';

const refusals = {
  missing: 'This link is not complete. Please open it from the email, or ask for a new one.',
  invalid: 'This link is not valid. Please ask for a new one.',
  expired: 'This link has expired. Please ask for a new one.',
};

const CONFIRMED = { title: 'Email confirmed', text: 'You can sign in now.' };

export function loader({ url }: Route.LoaderArgs) {
  return {
    token: url.searchParams.get('token'),
    next: safeNext(url.searchParams.get('next')),
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

async function confirm({ ctx, text }: Submission): Promise<Response | Refusal> {
  const result = await verifyEmail(ctx, { token: text('token') });
  if (!result.ok) return { ...invalid({ token: refusals[result.reason] }), status: 400 };
  const next = safeNext(text('next')) ?? undefined;
  return redirectWithToast(paths.buyerLogin({ next }), CONFIRMED);
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Confirm your email', hidden: true });

export default function VerifyEmail({ loaderData, actionData }: Route.ComponentProps) {
  const { token, next } = loaderData;
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
        <Form method="post">
          <IntentField is="confirm" />
          <input type="hidden" name="token" value={token ?? ''} />
          {next && <input type="hidden" name="next" value={next} />}
          <Button type="submit" size="lg" wide busy={confirming}>
            Confirm email address
          </Button>
        </Form>
      )}
      <FlashToast toast={actionData?.toast} />
    </AuthCard>
  );
}
