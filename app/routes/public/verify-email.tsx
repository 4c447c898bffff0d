import { Form, redirect } from 'react-router';
import { setFlash } from '#app/flash.ts';
import { formOf } from '#app/form.ts';
import { pageMeta } from '#app/page-meta.ts';
import { paths } from '#app/paths.ts';
import { getCtx } from '#app/request.ts';
import { AuthCard } from '#app/shell/auth-card.tsx';
import { answering, type FormAnswer, refuse, typedText } from '#app/sign-in/answer.ts';
import { resendVerification } from '#features/accounts/commands/resend-verification.ts';
import { verifyEmail } from '#features/accounts/commands/verify-email.ts';
import { useBusy } from '#features/accounts/components/sign-in-form.tsx';
import { safeNext, texts } from '#features/accounts/rules.ts';
import { Button } from '#ui/button.tsx';
import { FlashToast } from '#ui/flash-toast.tsx';
import { useFocusInvalid } from '#ui/focus-invalid.ts';
import { Notice } from '#ui/notice.tsx';
import { TextInput } from '#ui/text-input.tsx';
import type { Route } from './+types/verify-email';

const refusals = {
  missing: 'This link is not complete. Please open it from the email, or ask for a new one.',
  invalid: 'This link is not valid. Please ask for a new one.',
  expired: 'This link has expired. Please ask for a new one.',
};

export function loader({ url }: Route.LoaderArgs) {
  return {
    token: url.searchParams.get('token'),
    next: safeNext(url.searchParams.get('next')),
  };
}

/** Confirms by a press and not by opening the link, so that a mail scanner that follows links confirms nothing. */
export async function action({ request, context }: Route.ActionArgs) {
  const ctx = getCtx(context);
  const form = await formOf(request);
  const email = typedText(form, 'email');
  const wish = typedText(form, 'form') === 'resend' ? 'resend' : 'confirm';
  const answer: FormAnswer = { form: wish, email };
  return answering(ctx, { answer, title: 'Error', unexpected: `${texts.unexpected}.` }, async () => {
    if (wish === 'resend') {
      const result = await resendVerification(ctx, { email, next: typedText(form, 'next') });
      if (!result.ok) return refuse({ ...answer, errors: result.errors });
      return redirect(paths.home(), { headers: { 'set-cookie': setFlash({ title: texts.signedUp }) } });
    }
    const result = await verifyEmail(ctx, { token: typedText(form, 'token') });
    if (!result.ok) return refuse({ ...answer, errors: { token: refusals[result.reason] } }, 400);
    const toast = setFlash({ title: 'Email confirmed', text: 'You can sign in now.' });
    const next = safeNext(typedText(form, 'next')) ?? undefined;
    return redirect(paths.buyerLogin({ next }), { headers: { 'set-cookie': toast } });
  });
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Confirm your email', hidden: true });

export default function VerifyEmail({ loaderData, actionData }: Route.ComponentProps) {
  const { token, next } = loaderData;
  const confirming = useBusy('confirm');
  const resending = useBusy('resend');
  useFocusInvalid(actionData?.errors);
  const refused = actionData?.errors?.token ?? (token ? null : refusals.missing);
  const asked = refused !== null || actionData?.form === 'resend';
  return (
    <AuthCard title="Confirm your email" back={{ href: paths.home(), label: 'Back to Home' }}>
      {refused && (
        <Notice tone="bad">
          <p>{refused}</p>
        </Notice>
      )}
      {asked ? (
        <Form method="post" noValidate>
          <input type="hidden" name="form" value="resend" />
          {next && <input type="hidden" name="next" value={next} />}
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
          <Button type="submit" size="lg" wide busy={resending}>
            Resend
          </Button>
        </Form>
      ) : (
        <Form method="post">
          <input type="hidden" name="form" value="confirm" />
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
