import { redirect } from 'react-router';
import {
  type ActionArgs,
  conflict,
  invalid,
  type Refusal,
  redirectWithToast,
  runAction,
  type Submission,
} from '#app/actions/run-action.ts';
import { getScope, type RequestScope } from '#app/request.ts';
import { nullWhenGone } from '#app/when-gone.ts';
import { changeName } from '#features/accounts/commands/change-name.ts';
import { changePassword } from '#features/accounts/commands/change-password.ts';
import { endOtherSessions } from '#features/accounts/commands/end-other-sessions.ts';
import { requestEmailChange } from '#features/accounts/commands/request-email-change.ts';
import { revokeSession } from '#features/accounts/commands/revoke-session.ts';
import { accountMessages, mayManageOwnSessions } from '#features/accounts/rules.ts';
import { savePreferences } from '#features/notifications/commands/save-preferences.ts';
import { closeAccount } from '#features/personal-data/commands/close-account.ts';
import { personalDataMessages as dataTexts } from '#features/personal-data/rules.ts';
import { chooseWeeklyMail } from '#features/reports/commands/choose-weekly-mail.ts';
import { mayReadReports } from '#features/reports/rules.ts';
import { paths } from '#routing/paths.ts';
import type { ToastInput } from '#ui/toast.ts';

/**
 * The scope of a signed-in user.
 * @throws a redirect to the sign-in page for visitors
 */
export function signedInScope(context: Parameters<typeof getScope>[0]): RequestScope {
  const scope = getScope(context);
  if (!mayManageOwnSessions(scope.ctx.actor)) throw redirect(paths.buyerLogin({ next: paths.account() }));
  return scope;
}

/** Handles every form of the account page. */
export async function handleAccountForm(args: ActionArgs) {
  signedInScope(args.context);
  return runAction(args, {
    intents: { revoke, others, password, name, email, preferences, close },
    preserve: ['name', 'email'],
    fallback: 'password',
    messages: ({ intent }) => ({
      failed: intent === 'close' ? dataTexts.closeFailed : accountMessages.resetUnexpected,
    }),
  });
}

type Answer = Promise<Response | Refusal>;

const done = (toast: ToastInput) => redirectWithToast(paths.account(), toast);

async function revoke({ ctx, text }: Submission): Answer {
  // A session that has already ended is the desired result.
  await nullWhenGone(revokeSession(ctx, { sessionId: text('session') }));
  return done({ title: 'Signed out' });
}

async function others({ ctx, scope }: Submission): Answer {
  const ended = await endOtherSessions(ctx, { currentSessionId: scope.sessionId });
  return done({
    title: 'Signed out everywhere else',
    text: ended === 1 ? '1 session was ended.' : `${ended} sessions were ended.`,
  });
}

async function name({ ctx, text }: Submission): Answer {
  const result = await changeName(ctx, { name: text('name') });
  return result.ok ? done({ title: 'Name changed' }) : invalid(result.errors);
}

async function email({ ctx, text }: Submission): Answer {
  const result = await requestEmailChange(ctx, { email: text('email'), current: text('emailPassword') });
  if (!result.ok) return invalid(result.errors);
  return done({
    title: 'Please confirm your new email address',
    text: `Open the link that was mailed to ${result.email}. Until then your address stays as it is.`,
  });
}

async function password({ ctx, scope, text }: Submission): Answer {
  const result = await changePassword(ctx, {
    current: text('current'),
    password: text('password'),
    confirm: text('confirm'),
    currentSessionId: scope.sessionId,
  });
  if (!result.ok) return invalid(result.errors);
  return done({ title: 'Password changed', text: 'All other sessions were signed out.' });
}

async function preferences({ ctx, text }: Submission): Answer {
  const chosen = (name: string) => text(name) === '1';
  const result = await savePreferences(ctx, {
    mailPropertyUpdates: chosen('mailPropertyUpdates'),
    mailMessages: chosen('mailMessages'),
    mailSavedSearches: chosen('mailSavedSearches'),
    digestHour: Number(text('digestHour') || Number.NaN),
    timeZone: text('timeZone'),
  });
  if (result.ok) {
    if (mayReadReports(ctx.actor)) await chooseWeeklyMail(ctx, { wanted: chosen('weeklyReport') });
    return done({ title: 'Preferences saved' });
  }
  return result.reason === 'hour'
    ? invalid({ digestHour: 'Choose an hour' })
    : invalid({ timeZone: 'Choose a time zone' });
}

async function close({ ctx, text }: Submission): Answer {
  const result = await closeAccount(ctx, { password: text('closing') });
  if (result.ok) return redirectWithToast(paths.home(), dataTexts.closed, { cookies: result.cookies });
  if (result.reason === 'password') return invalid({ closing: result.text });
  return conflict({ title: 'Account not closed', text: dataTexts.liveSale });
}
