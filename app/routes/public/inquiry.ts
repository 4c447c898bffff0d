import { inquiryIntents } from '#app/actions/inquiry.actions.ts';
import { runAction } from '#app/actions/run-action.ts';
import { getCtx } from '#app/request.ts';
import { thread } from '#features/inquiries/reads.ts';
import type { Route } from './+types/inquiry';

/** A conversation as JSON, for the page that has it open; with `before` a page of its older messages. */
export async function loader({ params, url, context }: Route.LoaderArgs) {
  return Response.json(await thread(getCtx(context), params.id, { before: url.searchParams.get('before') }), {
    headers: { 'cache-control': 'no-store' },
  });
}

/** The actions of a conversation for scripts. A refusal is a 200 with a text that the page shows. */
export const action = (args: Route.ActionArgs) =>
  runAction(args, {
    intents: inquiryIntents(args.params.id, (_, result) => Response.json(result)),
    respond: ({ toast }) => Response.json({ ok: false, text: toast?.text }),
  });
