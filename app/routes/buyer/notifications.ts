import { redirect } from 'react-router';
import { formOf } from '#app/form.ts';
import { paths } from '#app/paths.ts';
import { getCtx } from '#app/request.ts';
import { typedText } from '#app/sign-in/answer.ts';
import { markAllNotificationsRead } from '#features/notifications/commands/mark-all-notifications-read.ts';
import { markNotificationRead } from '#features/notifications/commands/mark-notification-read.ts';
import { notificationList } from '#features/notifications/reads.ts';
import { mayHaveNotifications } from '#features/notifications/rules.ts';
import type { Route } from './+types/notifications';

/** One's own notifications as JSON: what an open page reads again (S0 §7). */
export async function loader({ url, context }: Route.LoaderArgs) {
  const page = await notificationList(getCtx(context), { before: url.searchParams.get('before') });
  return Response.json(page, { headers: { 'cache-control': 'no-store' } });
}

/** Marks one as read, or all of them. Scripts ask for JSON; the bare form leads back to the list. */
export async function action({ request, context }: Route.ActionArgs) {
  const ctx = getCtx(context);
  const form = await formOf(request);
  const scripted = request.headers.get('accept')?.includes('application/json');
  const list = paths.buyerActivity({ tab: 'notifications' });
  if (!scripted && !mayHaveNotifications(ctx.actor)) throw redirect(paths.buyerLogin({ next: list }));
  if (form.has('all')) await markAllNotificationsRead(ctx);
  else await markNotificationRead(ctx, typedText(form, 'id'));
  return scripted ? Response.json({ ok: true }) : redirect(list, 303);
}
