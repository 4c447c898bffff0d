import { redirect } from 'react-router';
import { setFlash } from '#app/flash.ts';
import { paths } from '#app/paths.ts';
import { answering, type FormAnswer, refuse, typedText } from '#app/sign-in/answer.ts';
import { signIn } from '#features/accounts/commands/sign-in.ts';
import { texts } from '#features/accounts/rules.ts';
import { registerSeller } from '#features/sellers/commands/register-seller.ts';
import { registration } from '#features/sellers/rules.ts';
import type { Ctx } from '#platform/context.ts';
import type { ToastInput } from '#ui/toast.ts';

interface Sent {
  link: { id: string | null; token: string | null };
  form: FormData;
  userAgent: string | null;
  sessionId: string | null;
}

/**
 * Registers the seller and goes on: with a proven address signed in to the dashboard, without one to the sign-in page,
 * where the account waits for its confirmation (B-095).
 */
export async function answerRegistration(ctx: Ctx, { link, form, userAgent, sessionId }: Sent) {
  const password = typedText(form, 'password');
  const answer: FormAnswer = { form: 'register' };
  const failure = { answer, title: registration.failed, unexpected: `${texts.unexpected}.` };
  return answering(ctx, failure, async () => {
    const result = await registerSeller(ctx, {
      ...link,
      name: typedText(form, 'name'),
      email: typedText(form, 'email'),
      password,
      confirm: typedText(form, 'confirm'),
    });
    if (!result.ok) return refused(answer, result);
    if (!result.proven) return toLogin({ title: texts.signedUp });
    const entered = await signIn(ctx, {
      door: 'agent',
      email: result.email,
      password,
      userAgent,
      currentSessionId: sessionId,
    });
    if (!entered.ok) return toLogin(registration.done);
    const headers = new Headers();
    for (const cookie of [...entered.cookies, setFlash(registration.done)])
      headers.append('set-cookie', cookie);
    return redirect(paths.agentDashboard(), { headers });
  });
}

type Refused = Extract<Awaited<ReturnType<typeof registerSeller>>, { ok: false }>;

function refused(answer: FormAnswer, result: Refused) {
  switch (result.reason) {
    case 'typed':
      return refuse({ ...answer, errors: result.errors });
    case 'registered':
      return toLogin({ ...registration.alreadyRegistered, tone: 'info' });
    case 'account_exists':
      return toLogin({ ...registration.accountExists, tone: 'bad' });
    case 'invalid':
    case 'unknown':
      // The page itself, checked again, says what is wrong with the link.
      return refuse(
        { ...answer, toast: { title: registration.failed, text: registration[result.reason] } },
        400,
      );
  }
}

const toLogin = (toast: ToastInput) =>
  redirect(paths.agentLogin(), { headers: { 'set-cookie': setFlash(toast) } });
