import { data, redirect } from 'react-router';
import { formText } from '#app/actions/form-data.ts';
import { NOT_SAVED, preserveInput, textFields } from '#app/actions/preserve-input.ts';
import {
  conflict,
  invalid,
  type Refusal,
  redirectWithToast,
  runAction,
  type Stay,
  type Submission,
} from '#app/actions/run-action.ts';
import { setFlash } from '#app/flash.ts';
import { safeNext } from '#features/accounts/rules.ts';
import { changeSavedSearch } from '#features/saved-searches/commands/change-saved-search.ts';
import { deleteSavedSearch } from '#features/saved-searches/commands/delete-saved-search.ts';
import { markMatchesSeen } from '#features/saved-searches/commands/mark-matches-seen.ts';
import { saveSearch } from '#features/saved-searches/commands/save-search.ts';
import { SIGN_IN_TO_SAVE } from '#features/saved-searches/model.ts';
import { maySaveSearches, savedSearchMessages } from '#features/saved-searches/rules.ts';
import { paths } from '#routing/paths.ts';
import { toast } from '#ui/toast.ts';
import type { Route } from './+types/saved-searches';

/**
 * Handles every form about saved searches. Scripts get the result; a plain form is redirected with a toast. Visitors are
 * redirected to sign in.
 */
export const action = (args: Route.ActionArgs) =>
  runAction(args, {
    intents: {
      save: signedIn(save),
      change: signedIn(change),
      delete: signedIn(async ({ ctx, text }) => {
        const result = await deleteSavedSearch(ctx, { id: text('id') });
        return result.ok ? { ok: true, toast: savedSearchMessages.deleted } : gone();
      }),
      seen: signedIn(async ({ ctx, text }) => {
        const result = await markMatchesSeen(ctx, { id: text('id') });
        return result.ok ? { ok: true, toast: savedSearchMessages.seen } : gone();
      }),
    },
    fallback: 'change',
    respond(answer, submission, init) {
      if (submission.scripted) return data(answer, init);
      const { toast, errors = {} } = answer;
      const refused = { title: 'Error', text: Object.values(errors).join(' '), tone: 'bad' as const };
      return redirectWithToast(pageOf(submission), toast ?? refused);
    },
  });

/** Shows the result here and not beside the row that it is about: the row may be gone by then. */
export async function clientAction(args: Route.ClientActionArgs) {
  const answer = await preserveInput(args, {
    inputOf: textFields('name', 'cadence'),
    toast: NOT_SAVED,
    refusalsLeave: true,
  });
  const { toast: shown } = 'init' in answer ? answer.data : answer;
  if (shown) toast(shown);
  return answer;
}

type Result = Promise<Stay | Refusal>;

/** The search was deleted elsewhere. */
const gone = (): Refusal => conflict(savedSearchMessages.gone);

/** The page that the form was on. */
const pageOf = ({ form, ctx }: Pick<Submission, 'form' | 'ctx'>) =>
  safeNext(formText(form, 'back')) ??
  paths.savedSearchList(ctx.actor.kind === 'user' ? ctx.actor.role : 'buyer');

const signedIn = (handler: (submission: Submission) => Result) => async (submission: Submission) => {
  if (maySaveSearches(submission.ctx.actor)) return handler(submission);
  const headers = { 'set-cookie': setFlash({ ...SIGN_IN_TO_SAVE, tone: 'info' }) };
  return redirect(paths.buyerLogin({ next: pageOf(submission) }), { headers });
};

async function change({ ctx, form, text }: Submission): Result {
  const given = (name: string) => (form.has(name) ? text(name) : undefined);
  const input = { id: text('id'), name: given('name'), cadence: given('cadence') };
  const result = await changeSavedSearch(ctx, input);
  if (result.ok) return { ok: true, toast: savedSearchMessages.changed };
  return result.reason === 'gone' ? gone() : invalid({ name: result.text });
}

async function save({ ctx, text }: Submission): Result {
  const result = await saveSearch(ctx, {
    name: text('name'),
    cadence: text('cadence'),
    query: text('query'),
  });
  if (result.ok)
    return { ok: true, toast: result.already ? savedSearchMessages.savedAlready : savedSearchMessages.saved };
  if (result.reason === 'invalid') return invalid(result.errors);
  if (result.reason === 'bad_area')
    return {
      ok: false,
      toast: { title: 'Search not saved', text: `${result.problem} Draw it again on the map.`, tone: 'bad' },
    };
  const { tooMany, findsNothing } = savedSearchMessages;
  return { ok: false, toast: result.reason === 'too_many' ? tooMany : findsNothing };
}
