import { paths } from '#routing/paths.ts';

/** The tabs of My Activity in their order; the ids are used in the URL. */
export const activityTabs = [
  { id: 'recent', label: 'Recently Viewed' },
  { id: 'watched', label: 'Watched Properties' },
  { id: 'inquiries', label: 'My Inquiries' },
  { id: 'notifications', label: 'Notifications' },
  { id: 'transactions', label: 'Transactions' },
] as const;

export type ActivityTab = (typeof activityTabs)[number]['id'];

/** The tab that a URL opens: the one it names, else the one its other parameters belong to, else Notifications. */
export function tabOf(search: URLSearchParams): ActivityTab {
  const named = activityTabs.find(({ id }) => id === search.get('tab'));
  if (named) return named.id;
  if (search.has('sale')) return 'transactions';
  return search.has('inquiry') ? 'inquiries' : 'notifications';
}

export const tabHref = (tab: ActivityTab): string => paths.buyerActivity({ tab });
