import { formOf } from '#app/form.ts';
import { actInInquiry } from '#app/inquiries/deeds.ts';
import { getCtx } from '#app/request.ts';
import { thread } from '#features/inquiries/reads.ts';
import type { Route } from './+types/inquiry';

/** A conversation as data, for the page that has it open; with `before` a page of its older messages. */
export async function loader({ params, url, context }: Route.LoaderArgs) {
  return Response.json(await thread(getCtx(context), params.id, { before: url.searchParams.get('before') }), {
    headers: { 'cache-control': 'no-store' },
  });
}

/** What scripts do in a conversation. A refusal is an answer like any other: the page shows its words. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const { result } = await actInInquiry(getCtx(context), params.id, await formOf(request));
  return Response.json(result.ok ? result : { ok: false, text: result.text });
}
