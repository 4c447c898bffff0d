import { paths } from '#routing/paths.ts';
import type { InboxUrlState } from '../model.ts';

/** The URL of an inbox state with some changes applied. */
export function inboxHref(
  urlState: InboxUrlState,
  changes: Partial<Omit<InboxUrlState, 'side' | 'role'>> = {},
): string {
  const { side, role, inquiry, filter, before, older, openDialog, quickReply } = { ...urlState, ...changes };
  const query = {
    inquiry: inquiry ?? undefined,
    filter: filter === 'all' ? undefined : filter,
    before: before ?? undefined,
    older: older ?? undefined,
    do: openDialog ?? undefined,
    quick: quickReply ?? undefined,
  };
  return side === 'seller'
    ? paths.sellerInquiries(query)
    : paths.activity(role, { tab: 'inquiries', ...query });
}

/** The URL of a conversation without an open dialog. */
export const threadHref = (urlState: InboxUrlState, inquiry: string | null): string =>
  inboxHref(urlState, { inquiry, older: null, openDialog: null, quickReply: null });
