import { paths } from '#app/paths.ts';
import type { InboxPlace } from '../model.ts';

/** The address of a place among one's conversations; what `changes` does not name stays as it is. */
export function inboxHref(place: InboxPlace, changes: Partial<Omit<InboxPlace, 'side'>> = {}): string {
  const { side, inquiry, filter, before, older, asked } = { ...place, ...changes };
  const query = {
    inquiry: inquiry ?? undefined,
    filter: filter === 'all' ? undefined : filter,
    before: before ?? undefined,
    older: older ?? undefined,
    do: asked ?? undefined,
  };
  return side === 'seller'
    ? paths.agentInquiries(query)
    : paths.buyerActivity({ tab: 'inquiries', ...query });
}

/** The open conversation itself, without a dialog over it. */
export const threadHref = (place: InboxPlace, inquiry: string | null): string =>
  inboxHref(place, { inquiry, older: null, asked: null });
