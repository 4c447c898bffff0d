import { redirect } from 'react-router';
import { setFlash } from '#app/flash.ts';
import { formOf } from '#app/form.ts';
import { paths } from '#app/paths.ts';
import { getScope, type RequestScope } from '#app/request.ts';
import { answering, type FormAnswer, refuse, typedText } from '#app/sign-in/answer.ts';
import { changePassword } from '#features/accounts/commands/change-password.ts';
import { revokeSession } from '#features/accounts/commands/revoke-session.ts';
import { mayManageOwnSessions, texts } from '#features/accounts/rules.ts';
import { savePreferences } from '#features/notifications/commands/save-preferences.ts';
import { closeAccount } from '#features/personal-data/commands/close-account.ts';
import { texts as dataTexts, mayCloseAccount } from '#features/personal-data/rules.ts';
import { authorize } from '#platform/access.ts';
import { NotFound } from '#platform/errors.ts';
import type { ToastInput } from '#ui/toast.ts';

const wishes = ['revoke', 'preferences', 'close', 'password'] as const;
type Wish = (typeof wishes)[number];
type Scope = Pick<RequestScope, 'ctx' | 'sessionId'>;

/** Who is signed in; a visitor is shown the way to do so first. */
export function signedInScope(context: Parameters<typeof getScope>[0]): RequestScope {
  const scope = getScope(context);
  if (!mayManageOwnSessions(scope.ctx.actor)) throw redirect(paths.buyerLogin({ next: paths.account() }));
  return scope;
}

/** Answers each form of the account page. */
export async function answerAccount(scope: Scope, request: Request) {
  const form = await formOf(request);
  const wish = wishes.find((known) => known === typedText(form, 'form')) ?? 'password';
  if (wish === 'close') authorize(scope.ctx, mayCloseAccount);
  const unexpected = wish === 'close' ? dataTexts.closeFailed : texts.resetUnexpected;
  return answering(scope.ctx, { answer: { form: wish }, title: 'Error', unexpected }, () =>
    answers[wish](scope, form),
  );
}

type Answer = Response | ReturnType<typeof refuse>;

const backWith = (toast: ToastInput) =>
  redirect(paths.account(), { headers: { 'set-cookie': setFlash(toast) } });

const answers: Record<Wish, (scope: Scope, form: FormData) => Promise<Answer>> = {
  async revoke({ ctx }, form) {
    // A session that has ended meanwhile is what was wanted.
    await revokeSession(ctx, { sessionId: typedText(form, 'session') }).catch((error: unknown) => {
      if (!(error instanceof NotFound)) throw error;
    });
    return backWith({ title: 'Signed out' });
  },

  async password({ ctx, sessionId }, form) {
    const result = await changePassword(ctx, {
      current: typedText(form, 'current'),
      password: typedText(form, 'password'),
      confirm: typedText(form, 'confirm'),
      currentSessionId: sessionId,
    });
    if (!result.ok) return refuse({ form: 'password', errors: result.errors } satisfies FormAnswer);
    return backWith({ title: 'Password changed', text: 'All other sessions were signed out.' });
  },

  async preferences({ ctx }, form) {
    const chosen = (name: string) => typedText(form, name) === '1';
    const result = await savePreferences(ctx, {
      mailPropertyUpdates: chosen('mailPropertyUpdates'),
      mailMessages: chosen('mailMessages'),
      mailSavedSearches: chosen('mailSavedSearches'),
      digestHour: Number(typedText(form, 'digestHour') || Number.NaN),
    });
    if (!result.ok) return refuse({ form: 'preferences', errors: { digestHour: 'Choose an hour' } });
    return backWith({ title: 'Preferences saved' });
  },

  async close({ ctx }, form) {
    const result = await closeAccount(ctx, { password: typedText(form, 'closing') });
    if (!result.ok) {
      if (result.reason === 'password') return refuse({ form: 'close', errors: { closing: result.text } });
      return refuse({ form: 'close', toast: { title: 'Not closed', text: dataTexts.liveSale } }, 409);
    }
    const headers = new Headers({ 'set-cookie': setFlash(dataTexts.closed) });
    for (const cookie of result.cookies) headers.append('set-cookie', cookie);
    return redirect(paths.home(), { headers });
  },
};
