import { Form, Link, redirect } from 'react-router';
import { setFlash } from '#app/flash.ts';
import { formOf } from '#app/form.ts';
import { pageMeta } from '#app/page-meta.ts';
import { paths } from '#app/paths.ts';
import { getCtx } from '#app/request.ts';
import { AuthCard } from '#app/shell/auth-card.tsx';
import { answering, type FormAnswer, refuse, typedText } from '#app/sign-in/answer.ts';
import { SignedInAs } from '#app/sign-in/sign-in-page.tsx';
import { signUp } from '#features/accounts/commands/sign-up.ts';
import { NewPassword } from '#features/accounts/components/new-password-fields.tsx';
import { useBusy } from '#features/accounts/components/sign-in-form.tsx';
import { viewerOf } from '#features/accounts/reads.ts';
import { safeNext, texts } from '#features/accounts/rules.ts';
import { Button } from '#ui/button.tsx';
import { FlashToast } from '#ui/flash-toast.tsx';
import { useFocusInvalid } from '#ui/focus-invalid.ts';
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

/** Opens the account; whether the address had one already is told by mail alone (B-090). */
export async function action({ request, url, context }: Route.ActionArgs) {
  const ctx = getCtx(context);
  const form = await formOf(request);
  const email = typedText(form, 'email');
  const answer: FormAnswer = { form: 'sign-up', email };
  return answering(ctx, { answer, title: 'Error', unexpected: `${texts.unexpected}.` }, async () => {
    const result = await signUp(ctx, {
      email,
      password: typedText(form, 'password'),
      next: url.searchParams.get('next'),
      userAgent: request.headers.get('user-agent'),
    });
    if (!result.ok) return refuse({ ...answer, errors: result.errors });
    return redirect(paths.home(), { headers: { 'set-cookie': setFlash({ title: texts.signedUp }) } });
  });
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Create your buyer account',
    description: 'Open an account to watch properties, follow their prices and write to sellers.',
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
            Sign in
          </Link>
        </p>
      }
    >
      {viewer && <SignedInAs door="buyer" {...viewer} />}
      <Form method="post" action={here} noValidate>
        <input type="hidden" name="form" value="sign-up" />
        <TextInput
          label="Email"
          name="email"
          type="email"
          autoComplete="email"
          large
          required
          defaultValue={actionData?.email}
          error={actionData?.errors?.email}
        />
        <NewPassword error={actionData?.errors?.password} />
        <Button type="submit" size="lg" wide busy={busy}>
          Sign up
        </Button>
      </Form>
      <FlashToast toast={actionData?.toast} />
    </AuthCard>
  );
}
