import { Form, Link, redirect } from 'react-router';
import { preserveInput, textFields } from '#app/actions/preserve-input.ts';
import { invalid, type Refusal, redirectWithToast, runAction } from '#app/actions/run-action.ts';
import { pageMeta } from '#app/page-meta.ts';
import { SignedInAs } from '#app/pages/sign-in/sign-in-page.tsx';
import { getCtx } from '#app/request.ts';
import { AuthCard } from '#app/shell/auth-card.tsx';
import { signUp } from '#features/accounts/commands/sign-up.ts';
import { NewPassword } from '#features/accounts/components/new-password-fields.tsx';
import { useBusy } from '#features/accounts/components/sign-in-form.tsx';
import { viewerOf } from '#features/accounts/reads.ts';
import { accountMessages, safeNext } from '#features/accounts/rules.ts';
import { Acceptance } from '#features/policies/components/acceptance.tsx';
import { paths } from '#routing/paths.ts';
import { Button } from '#ui/button.tsx';
import { FlashToast } from '#ui/flash-toast.tsx';
import { useFocusInvalid } from '#ui/focus-invalid.ts';
import { IntentField } from '#ui/intent-field.tsx';
import { TextInput } from '#ui/text-input.tsx';
import type { Route } from './+types/signup';

export function loader({ url, context }: Route.LoaderArgs) {
  const viewer = viewerOf(getCtx(context));
  const next = safeNext(url.searchParams.get('next')) ?? undefined;
  if (viewer?.role === 'buyer') throw redirect(next ?? paths.home());
  return {
    viewer: viewer && { email: viewer.email, role: viewer.role },
    here: paths.buyerSignup({ next }),
    loginPath: paths.buyerLogin({ next }),
  };
}

/** Creates the account. Only a mail says whether the address already had one, so that the form reveals no accounts. */
export const action = (args: Route.ActionArgs) =>
  runAction(args, {
    fallback: 'sign-up',
    preserve: ['email'],
    messages: { failed: `${accountMessages.unexpected}.` },
    intents: {
      async 'sign-up'({ ctx, request, text }): Promise<Response | Refusal> {
        const result = await signUp(ctx, {
          email: text('email'),
          password: text('password'),
          next: args.url.searchParams.get('next'),
          userAgent: request.headers.get('user-agent'),
        });
        return result.ok
          ? redirectWithToast(paths.home(), { title: accountMessages.signedUp }, { cookies: result.cookies })
          : invalid(result.errors);
      },
    },
  });

export const clientAction = (args: Route.ClientActionArgs) =>
  preserveInput(args, {
    inputOf: textFields('email'),
    toast: { title: 'Error', text: `${accountMessages.unexpected}.` },
    refusalsLeave: true,
  });

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Create your buyer account',
    description: 'Create an account to watch properties, follow prices and message sellers.',
    canonical: paths.buyerSignup(),
  });

export default function SignUp({ loaderData, actionData }: Route.ComponentProps) {
  const { viewer, here, loginPath } = loaderData;
  const busy = useBusy('sign-up');
  useFocusInvalid(actionData?.errors);
  return (
    <AuthCard
      title="Create your buyer account"
      back={{ href: paths.home(), label: 'Back to Home' }}
      foot={
        <p>
          Already have an account?{' '}
          <Link className="link" to={loginPath}>
            Sign In
          </Link>
        </p>
      }
    >
      {viewer && <SignedInAs loginRole="buyer" {...viewer} />}
      <Form method="post" action={here} noValidate>
        <IntentField is="sign-up" />
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
        <NewPassword error={actionData?.errors?.password} />
        <Acceptance />
        <Button type="submit" size="lg" wide busy={busy}>
          Sign up
        </Button>
      </Form>
      <FlashToast toast={actionData?.toast} />
    </AuthCard>
  );
}
