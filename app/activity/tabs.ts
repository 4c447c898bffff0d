import { paths } from '#app/paths.ts';

/** The tabs of My Activity in their order (S0 §2); the ids stand in the address. */
export const activityTabs = [
  { id: 'recent', label: 'Recently Viewed' },
  { id: 'watched', label: 'Watched Properties' },
  { id: 'inquiries', label: 'My Inquiries' },
  { id: 'notifications', label: 'Notifications' },
  { id: 'transactions', label: 'Transactions' },
] as const;

export type ActivityTab = (typeof activityTabs)[number]['id'];

/** The tab that an address opens: what it names, what it is about, and otherwise Notifications. */
export function tabOf(search: URLSearchParams): ActivityTab {
  const named = activityTabs.find(({ id }) => id === search.get('tab'));
  if (named) return named.id;
  if (search.has('sale')) return 'transactions';
  return search.has('inquiry') ? 'inquiries' : 'notifications';
}

export const tabHref = (tab: ActivityTab): string => paths.buyerActivity({ tab });
