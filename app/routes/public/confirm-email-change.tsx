import { Form } from 'react-router';
import { preserveInput, textFields } from '#app/actions/preserve-input.ts';
import {
  invalid,
  type Refusal,
  redirectWithToast,
  runAction,
  type Submission,
} from '#app/actions/run-action.ts';
import { pageMeta } from '#app/page-meta.ts';
import { AuthCard } from '#app/shell/auth-card.tsx';
import { confirmEmailChange } from '#features/accounts/commands/confirm-email-change.ts';
import { useBusy } from '#features/accounts/components/sign-in-form.tsx';
import { accountMessages, loginPath } from '#features/accounts/rules.ts';
import { paths } from '#routing/paths.ts';
import { Button } from '#ui/button.tsx';
import { FlashToast } from '#ui/flash-toast.tsx';
import { IntentField } from '#ui/intent-field.tsx';
import { Notice } from '#ui/notice.tsx';
import type { Route } from './+types/confirm-email-change';

const refusals = {
  missing: 'This link is not complete. Please open it from the email.',
  invalid: 'This link is no longer valid. Please change your email again in your account settings.',
  taken: 'Another account has this address now.',
};

export const loader = ({ url }: Route.LoaderArgs) => ({ token: url.searchParams.get('token') });

/** Confirms by pressing a button and not by opening the link, so that mail scanners that follow links change nothing. */
export const action = (args: Route.ActionArgs) =>
  runAction(args, {
    intents: { confirm },
    fallback: 'confirm',
    messages: { failed: `${accountMessages.unexpected}.` },
  });

async function confirm({ ctx, text }: Submission): Promise<Response | Refusal> {
  const result = await confirmEmailChange(ctx, { token: text('token') });
  if (!result.ok) return { ...invalid({ token: refusals[result.reason] }), status: 400 };
  const to = ctx.actor.kind === 'user' ? paths.account() : loginPath(result.role);
  return redirectWithToast(to, { title: 'Email address changed', text: 'Sign in with it from now on.' });
}

export const clientAction = (args: Route.ClientActionArgs) =>
  preserveInput(args, {
    inputOf: textFields(),
    toast: { title: 'Error', text: `${accountMessages.unexpected}.` },
    refusalsLeave: true,
  });

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Confirm your new email', hidden: true });

export default function ConfirmEmailChange({ loaderData: { token }, actionData }: Route.ComponentProps) {
  const busy = useBusy('confirm');
  const refused = actionData?.errors?.token ?? (token ? null : refusals.missing);
  return (
    <AuthCard title="Confirm your new email" back={{ href: paths.home(), label: 'Back to Home' }}>
      {refused ? (
        <Notice tone="bad">
          <p>{refused}</p>
        </Notice>
      ) : (
        <Form method="post" noValidate>
          <IntentField is="confirm" />
          <input type="hidden" name="token" value={token ?? ''} />
          <Button type="submit" size="lg" wide busy={busy}>
            Confirm email address
          </Button>
        </Form>
      )}
      <FlashToast toast={actionData?.toast} />
    </AuthCard>
  );
}
