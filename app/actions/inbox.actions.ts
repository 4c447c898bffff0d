import { randomUUID } from 'node:crypto';
import { type ActionArgs, redirectWithToast, runAction } from '#app/actions/run-action.ts';
import { getCtx } from '#app/request.ts';
import { markThreadRead } from '#features/inquiries/commands/mark-thread-read.ts';
import { threadHref } from '#features/inquiries/components/inbox-href.ts';
import type { InboxPage, InboxUrlState, Side } from '#features/inquiries/model.ts';
import { inbox, thread } from '#features/inquiries/reads.ts';
import { actionToast } from '#features/inquiries/rules.ts';
import { quickReplies } from '#features/quick-replies/reads.ts';
import { fillReply } from '#features/quick-replies/rules.ts';
import type { Ctx } from '#platform/context.ts';
import { AppError, BadRequest, NotFound } from '#platform/errors.ts';
import { inquiryIntents } from './inquiry.actions.ts';

interface RouteArgs extends ActionArgs {
  url: URL;
}

/** What of an inbox its URL opens. */
export function placeOf({ actor }: Ctx, side: Side, { searchParams }: URL): InboxUrlState {
  const openDialog = searchParams.get('do');
  return {
    side,
    role: actor.kind === 'user' ? actor.role : 'buyer',
    inquiry: searchParams.get('inquiry') || null,
    filter: searchParams.get('filter') === 'needs_response' ? 'needs_response' : 'all',
    before: searchParams.get('before') || null,
    older: searchParams.get('older') || null,
    openDialog: openDialog === 'report' || openDialog === 'block' ? openDialog : null,
    quickReply: searchParams.get('quick') || null,
  };
}

/**
 * The viewer's conversations and the open one, as given by the URL.
 * @throws Unauthenticated; NotFound for a conversation of others or of the other side; BadRequest for invalid cursors
 */
export async function loadInbox(ctx: Ctx, side: Side, url: URL): Promise<InboxPage> {
  const place = placeOf(ctx, side, url);
  const { inquiry, filter, before, older } = place;
  const [list, open, replies] = await Promise.all([
    inbox(ctx, { side, filter, before }),
    inquiry ? thread(ctx, inquiry, { before: older }) : null,
    inquiry && side === 'seller' ? quickReplies(ctx) : [],
  ]);
  if (open && open.side !== side) throw new NotFound();
  const parties = { buyer: open?.other.name ?? '', property: open?.property?.address ?? '' };
  return {
    urlState: place,
    inbox: list,
    thread: open,
    quickReplies: replies.map((reply) => ({ ...reply, text: fillReply(reply, parties) })),
    idempotencyKey: randomUUID(),
  };
}

/**
 * Middleware: opening a conversation as a document marks its messages as read before the page is loaded, so that its
 * unread count is right too. Client-side navigations are left to the browser's scripts, since only they know whether the
 * page is visible.
 */
export async function markOpenedThreadRead(
  { request, url, context }: RouteArgs,
  next: () => Promise<unknown>,
) {
  const { headers, method } = request;
  const opened = method === 'GET' && headers.get('sec-fetch-dest') === 'document';
  const inquiry = url.searchParams.get('inquiry');
  if (opened && inquiry && !headers.has('sec-purpose')) {
    try {
      await markThreadRead(getCtx(context), { inquiryId: inquiry });
    } catch (error) {
      // The page itself refuses conversations of others, inside its layout.
      if (!(error instanceof AppError))
        getCtx(context).log.error({ err: error }, 'a conversation could not be marked as read');
    }
  }
  return (await next()) as Response;
}

/** Handles a form of the inbox without JavaScript: back to the conversation, or the input with the reason for refusal. */
export async function handleInboxForm(side: Side, args: RouteArgs) {
  const place = placeOf(getCtx(args.context), side, args.url);
  const { inquiry } = place;
  if (!inquiry) throw new BadRequest('No conversation is named');
  return runAction(args, {
    preserve: ['message', 'reason'],
    intents: inquiryIntents(inquiry, (action) => {
      const silent = action === 'reply' || action === 'read';
      const toast = silent ? null : actionToast(action, 'This person');
      return redirectWithToast(threadHref(place, inquiry), toast, { status: 303 });
    }),
  });
}
