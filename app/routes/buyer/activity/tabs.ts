import type { Role } from '#platform/context.ts';
import { paths } from '#routing/paths.ts';

const tabs = [
  { id: 'recent', label: 'Recently Viewed' },
  { id: 'watched', label: 'Watched Properties' },
  { id: 'inquiries', label: 'My Inquiries' },
  { id: 'notifications', label: 'Notifications' },
  { id: 'transactions', label: 'Transactions' },
] as const;

export type ActivityTab = (typeof tabs)[number]['id'];

/** The tabs of My Activity in their order; the ids are used in the URL. Only buyers purchase. */
export const activityTabs = (role: Role) =>
  tabs.filter(({ id }) => role === 'buyer' || id !== 'transactions');

/** The tab that a URL opens: the one it names, else the one its other parameters belong to, else Notifications. */
export function tabOf(search: URLSearchParams, role: Role = 'buyer'): ActivityTab {
  const named = activityTabs(role).find(({ id }) => id === search.get('tab'));
  if (named) return named.id;
  if (search.has('sale') && role === 'buyer') return 'transactions';
  return search.has('inquiry') ? 'inquiries' : 'notifications';
}

export const tabHref = (role: Role, tab: ActivityTab): string => paths.activity(role, { tab });
