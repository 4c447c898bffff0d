import { segment } from './paths.ts';

/** The URLs of what a seller previews, apart from `sellerPaths`, which the sign-in pages load. */
export const previewPaths = {
  /** the draft of a new listing as its page would show it, for its seller alone */
  draft: () => '/agent/properties/add/preview',
  /** a listing with the changes of its draft, in the same way */
  listing: (id: string) => `/agent/properties/${segment(id)}/preview`,
} as const;
