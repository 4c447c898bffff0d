import { segment } from './paths.ts';

/** The URLs of what other programs subscribe to, apart from `paths`, which the public pages load. */
export const feedPaths = {
  /** leads the owner of a saved search to its feed */
  toSearch: (id: string) => `/saved-searches/${segment(id)}/feed`,
  /** the feed of a saved search, for whoever knows the address */
  search: (id: string, signature: string) => `/feeds/searches/${segment(`${id}.${signature}`)}.xml`,
  /** dates of the viewer's sales in escrow, as a calendar file */
  closingDates: () => '/closing-dates.ics',
} as const;
