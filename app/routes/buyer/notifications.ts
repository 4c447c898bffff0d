import { redirect } from 'react-router';
import { redirectWithToast, runAction, type Submission } from '#app/actions/run-action.ts';
import { getCtx } from '#app/request.ts';
import { markAllNotificationsRead } from '#features/notifications/commands/mark-all-notifications-read.ts';
import { markNotificationRead } from '#features/notifications/commands/mark-notification-read.ts';
import { notificationList } from '#features/notifications/reads.ts';
import { mayManageOwnNotifications } from '#features/notifications/rules.ts';
import type { Ctx } from '#platform/context.ts';
import { paths } from '#routing/paths.ts';
import type { Route } from './+types/notifications';

/** The viewer's notifications as JSON, for refreshing an open page. */
export async function loader({ url, context }: Route.LoaderArgs) {
  const page = await notificationList(getCtx(context), { before: url.searchParams.get('before') });
  return Response.json(page, { headers: { 'cache-control': 'no-store' } });
}

const listOf = ({ actor }: Ctx): string =>
  paths.activity(actor.kind === 'user' ? actor.role : 'buyer', { tab: 'notifications' });

/** Marks one or all as read. Scripts ask for JSON; a plain form is redirected to the list. */
export const action = (args: Route.ActionArgs) =>
  runAction(args, {
    intents: {
      read: marking(({ ctx, text }) => markNotificationRead(ctx, { id: text('id') })),
      'read-all': marking(({ ctx }) => markAllNotificationsRead(ctx)),
    },
    fallback: 'read',
    respond: ({ toast }, { ctx, scripted }, init) =>
      scripted ? Response.json({ error: toast?.text }, init) : redirectWithToast(listOf(ctx), toast ?? null),
  });

const marking = (mark: (submission: Submission) => Promise<unknown>) => async (submission: Submission) => {
  const { ctx, scripted } = submission;
  if (!scripted && !mayManageOwnNotifications(ctx.actor))
    return redirect(paths.buyerLogin({ next: listOf(ctx) }));
  await mark(submission);
  return scripted ? Response.json({ ok: true }) : redirect(listOf(ctx), 303);
};
