/** How many rows a page of a long list can have, to choose from. */
export const PAGE_SIZES = [25, 50, 100] as const;
export type PageSize = (typeof PAGE_SIZES)[number];

/** The choice that a URL names; null for none, and for anything else. */
export const pageSizeFrom = (text: string | null): PageSize | null =>
  PAGE_SIZES.find((size) => String(size) === text) ?? null;
