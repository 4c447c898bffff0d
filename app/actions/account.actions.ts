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
import { changePassword } from '#features/accounts/commands/change-password.ts';
import { revokeSession } from '#features/accounts/commands/revoke-session.ts';
import { accountMessages, mayManageOwnSessions } from '#features/accounts/rules.ts';
import { savePreferences } from '#features/notifications/commands/save-preferences.ts';
import { closeAccount } from '#features/personal-data/commands/close-account.ts';
import { personalDataMessages as dataTexts } from '#features/personal-data/rules.ts';
import { NotFound } from '#platform/errors.ts';
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
    intents: { revoke, password, preferences, close },
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
  await revokeSession(ctx, { sessionId: text('session') }).catch((error: unknown) => {
    if (!(error instanceof NotFound)) throw error;
  });
  return done({ title: 'Signed out' });
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
  if (result.ok) return done({ title: 'Preferences saved' });
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
