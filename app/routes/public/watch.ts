import { redirect } from 'react-router';
import { redirectWithToast, runAction } from '#app/actions/run-action.ts';
import { setFlash } from '#app/flash.ts';
import { safeNext } from '#features/accounts/rules.ts';
import { setWatch } from '#features/watches/commands/set-watch.ts';
import { mayWatch, SIGN_IN_TO_WATCH } from '#features/watches/rules.ts';
import { paths } from '#routing/paths.ts';
import type { Route } from './+types/watch';

/**
 * Watches or unwatches a property. Scripts ask for JSON; a plain form is redirected to the page it was on. Visitors are
 * redirected to sign in, and the property is watched afterwards.
 */
export function action(args: Route.ActionArgs) {
  const { id } = args.params;
  const back = pathOfReferer(args.request) ?? paths.property(id);
  return runAction(args, {
    fallback: 'watch',
    intents: {
      async watch({ ctx, text, scripted }) {
        if (!mayWatch(ctx.actor)) {
          const signIn = paths.buyerLogin({ next: back, intent: `watch:${id}` });
          const headers = { 'set-cookie': setFlash({ ...SIGN_IN_TO_WATCH, tone: 'info' }) };
          return scripted
            ? Response.json({ signIn }, { status: 401, headers })
            : redirect(signIn, { headers });
        }
        const watched = text('watched') === '1';
        await setWatch(ctx, { propertyId: id, watched });
        return scripted ? Response.json({ watched }) : redirect(back);
      },
    },
    respond: ({ toast }, { scripted }, init) =>
      scripted ? Response.json({ error: toast?.text }, init) : redirectWithToast(back, toast ?? null),
  });
}

/** The path of the page the form was on, when it is one of ours. */
function pathOfReferer(request: Request): string | null {
  const referer = request.headers.get('referer');
  if (!referer || !URL.canParse(referer)) return null;
  const from = new URL(referer);
  return from.host === new URL(request.url).host ? safeNext(from.pathname + from.search) : null;
}
