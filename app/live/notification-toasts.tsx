import { useLiveEvents } from '#app/live/live-events.ts';
import { UPDATE_TITLE } from '#features/notifications/model.ts';
import { toast } from '#ui/toast.ts';

/** Notifications already announced by this page: further changes of an unread one raise no second toast. */
const announced = new Set<string>();

/** Shows one toast for each notification that arrives. */
export function NotificationToasts() {
  useLiveEvents(({ type, payload }) => {
    const { id, message } = payload ?? {};
    if (type !== 'notification.new' || typeof id !== 'string' || announced.has(id)) return;
    announced.add(id);
    toast({ title: UPDATE_TITLE, text: String(message), tone: 'info' });
  });
  return null;
}
