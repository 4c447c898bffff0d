import { useLiveEvents } from '#app/live-events.ts';
import { UPDATE_TITLE } from '#features/notifications/model.ts';
import { toast } from '#ui/toast.ts';

/** Notifications that this page has announced: a further change of an unread one is no news again (B-221). */
const announced = new Set<string>();

/** Raises the toast for each notification that arrives, once (S0 §2). */
export function UpdateToasts() {
  useLiveEvents(({ type, payload }) => {
    const { id, message } = payload ?? {};
    if (type !== 'notification.new' || typeof id !== 'string' || announced.has(id)) return;
    announced.add(id);
    toast({ title: UPDATE_TITLE, text: String(message), tone: 'info' });
  });
  return null;
}
