import { data, redirect } from 'react-router';
import { setFlash } from '#app/flash.ts';
import { formOf } from '#app/form.ts';
import { paths } from '#app/paths.ts';
import { getCtx } from '#app/request.ts';
import { typedText } from '#app/sign-in/answer.ts';
import { safeNext } from '#features/accounts/rules.ts';
import { changeSavedSearch } from '#features/saved-searches/commands/change-saved-search.ts';
import { deleteSavedSearch } from '#features/saved-searches/commands/delete-saved-search.ts';
import { markMatchesSeen } from '#features/saved-searches/commands/mark-matches-seen.ts';
import { saveSearch } from '#features/saved-searches/commands/save-search.ts';
import { type SavedSearchAnswer, SIGN_IN_TO_SAVE } from '#features/saved-searches/model.ts';
import { maySaveSearches, texts } from '#features/saved-searches/rules.ts';
import type { Ctx } from '#platform/context.ts';
import { TooManyRequests } from '#platform/errors.ts';
import type { Route } from './+types/saved-searches';

/**
 * Every form about saved searches. Scripts are told what came of it; a bare form is sent on with a toast. A visitor is
 * shown the way to sign in.
 */
export async function action({ request, context }: Route.ActionArgs) {
  const ctx = getCtx(context);
  const form = await formOf(request);
  const back = safeNext(typedText(form, 'back')) ?? paths.buyerActivity({ tab: 'watched' });
  if (!maySaveSearches(ctx.actor)) {
    const headers = { 'set-cookie': setFlash({ ...SIGN_IN_TO_SAVE, tone: 'info' }) };
    return redirect(paths.buyerLogin({ next: back }), { headers });
  }
  const answer = await answerTo(ctx, form);
  if (typedText(form, 'scripted') === '1') return data(answer, { status: answer.ok ? 200 : 422 });
  const toast = answer.toast ?? {
    title: 'Error',
    text: Object.values(answer.errors ?? {}).join(' '),
    tone: 'bad',
  };
  return redirect(back, { headers: { 'set-cookie': setFlash(toast) } });
}

async function answerTo(ctx: Ctx, form: FormData): Promise<SavedSearchAnswer> {
  const id = typedText(form, 'id');
  switch (typedText(form, 'form')) {
    case 'save':
      return save(ctx, form);
    case 'delete':
      await deleteSavedSearch(ctx, { id });
      return { ok: true, toast: texts.deleted };
    case 'seen':
      await markMatchesSeen(ctx, { id });
      return { ok: true, toast: texts.seen };
    default: {
      const given = (name: string) => (form.has(name) ? typedText(form, name) : undefined);
      const result = await changeSavedSearch(ctx, { id, name: given('name'), cadence: given('cadence') });
      return result.ok ? { ok: true, toast: texts.changed } : { ok: false, errors: { name: result.text } };
    }
  }
}

async function save(ctx: Ctx, form: FormData): Promise<SavedSearchAnswer> {
  const refused = (text: string): SavedSearchAnswer => ({
    ok: false,
    toast: { title: 'Error', text, tone: 'bad' },
  });
  try {
    const result = await saveSearch(ctx, {
      name: typedText(form, 'name'),
      cadence: typedText(form, 'cadence'),
      query: typedText(form, 'query'),
    });
    if (result.ok) return { ok: true, toast: result.already ? texts.savedAlready : texts.saved };
    if (result.reason === 'invalid') return { ok: false, errors: result.errors };
    return refused(result.reason === 'too_many' ? texts.tooMany : texts.findsNothing);
  } catch (error) {
    if (error instanceof TooManyRequests) return refused(error.message);
    throw error;
  }
}
