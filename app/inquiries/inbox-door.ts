import { randomUUID } from 'node:crypto';
import { data, redirect } from 'react-router';
import { setFlash } from '#app/flash.ts';
import { formOf } from '#app/form.ts';
import { getCtx } from '#app/request.ts';
import { markThreadRead } from '#features/inquiries/commands/mark-thread-read.ts';
import { threadHref } from '#features/inquiries/components/inbox-href.ts';
import type { InboxAnswer, InboxPage, InboxPlace, Side } from '#features/inquiries/model.ts';
import { inbox, thread } from '#features/inquiries/reads.ts';
import { deedDone } from '#features/inquiries/rules.ts';
import type { Ctx } from '#platform/context.ts';
import { AppError, BadRequest, NotFound } from '#platform/errors.ts';
import { actInInquiry } from './deeds.ts';

interface DoorArgs {
  request: Request;
  url: URL;
  context: Parameters<typeof getCtx>[0];
}

function placeOf(side: Side, { searchParams }: URL): InboxPlace {
  const asked = searchParams.get('do');
  return {
    side,
    inquiry: searchParams.get('inquiry') || null,
    filter: searchParams.get('filter') === 'needs_response' ? 'needs_response' : 'all',
    before: searchParams.get('before') || null,
    older: searchParams.get('older') || null,
    asked: asked === 'report' || asked === 'block' ? asked : null,
  };
}

/**
 * One's conversations and the open one, as the address says.
 * @throws Unauthenticated; NotFound for a conversation of others or of the other side; BadRequest for cursors that are none
 */
export async function loadInbox(ctx: Ctx, side: Side, url: URL): Promise<InboxPage> {
  const place = placeOf(side, url);
  const { inquiry, filter, before, older } = place;
  const [list, open] = await Promise.all([
    inbox(ctx, { side, filter, before }),
    inquiry ? thread(ctx, inquiry, { before: older }) : null,
  ]);
  if (open && open.side !== side) throw new NotFound();
  return { place, inbox: list, thread: open, sendingKey: randomUUID() };
}

/**
 * Opening a conversation as a document marks its messages read (S0 §4, B-058), before anything of the page is read: its
 * bell is right too. The browser's own scripts say so themselves, since only they know whether somebody looks.
 */
export async function markOpened({ request, url, context }: DoorArgs, next: () => Promise<unknown>) {
  const { headers, method } = request;
  const opened = method === 'GET' && headers.get('sec-fetch-dest') === 'document';
  const inquiry = url.searchParams.get('inquiry');
  if (opened && inquiry && !headers.has('sec-purpose')) {
    try {
      await markThreadRead(getCtx(context), inquiry);
    } catch (error) {
      // What is none of this person's is refused by the page itself, in its frame.
      if (!(error instanceof AppError)) throw error;
    }
  }
  return (await next()) as Response;
}

/** What a form of the page does without scripts: back to the conversation, or what was typed with the reason why not. */
export async function answerInbox(side: Side, { request, url, context }: DoorArgs) {
  const place = placeOf(side, url);
  if (!place.inquiry) throw new BadRequest('No conversation is named');
  const { deed, typed, result } = await actInInquiry(getCtx(context), place.inquiry, await formOf(request));
  if (!result.ok)
    return data({ deed, text: result.text, typed } satisfies InboxAnswer, { status: result.status });
  const quiet = deed === 'reply' || deed === 'read';
  return redirect(threadHref(place, place.inquiry), {
    status: 303,
    ...(!quiet && { headers: { 'set-cookie': setFlash(deedDone(deed, 'This person')) } }),
  });
}
