import { redirect } from 'react-router';
import { setFlash } from '#app/flash.ts';
import { formOf } from '#app/form.ts';
import { paths } from '#app/paths.ts';
import { getCtx } from '#app/request.ts';
import { safeNext } from '#features/accounts/rules.ts';
import { setWatch } from '#features/watches/commands/set-watch.ts';
import { mayWatch, SIGN_IN_TO_WATCH } from '#features/watches/rules.ts';
import type { Route } from './+types/watch';

/**
 * Watches or unwatches. Scripts ask for JSON; the bare form is sent back to the page it stood on. A visitor is shown
 * the way to sign in, and the wish is carried out afterwards (S0 §6, B-026, B-042).
 */
export async function action({ request, params, context }: Route.ActionArgs) {
  const ctx = getCtx(context);
  const watched = (await formOf(request)).get('watched') === '1';
  const scripted = request.headers.get('accept')?.includes('application/json');
  const back = pathOfReferer(request) ?? paths.property(params.id);
  if (!mayWatch(ctx.actor)) {
    const signIn = paths.buyerLogin({ next: back, intent: `watch:${params.id}` });
    const headers = { 'set-cookie': setFlash({ ...SIGN_IN_TO_WATCH, tone: 'info' }) };
    return scripted ? Response.json({ signIn }, { status: 401, headers }) : redirect(signIn, { headers });
  }
  await setWatch(ctx, { propertyId: params.id, watched });
  return scripted ? Response.json({ watched }) : redirect(back);
}

/** The path of the page the form stood on, when it is one of ours. */
function pathOfReferer(request: Request): string | null {
  const referer = request.headers.get('referer');
  if (!referer || !URL.canParse(referer)) return null;
  const from = new URL(referer);
  return from.host === new URL(request.url).host ? safeNext(from.pathname + from.search) : null;
}
