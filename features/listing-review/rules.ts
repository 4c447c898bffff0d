import { statusLabel } from '#features/listings/display.ts';
import type { PropertyStatus } from '#features/listings/model.ts';
import { hasRole } from '#platform/access.ts';
import { type BoundedCount, countText } from '#platform/counts.ts';
import { formatCount } from '#platform/format-count.ts';

/** Administrators look at every listing, whatever its status. */
export const mayReviewListings = hasRole('admin');
/** Only administrators choose what the home page features. */
export const mayFeature = hasRole('admin');

/** How many listings can be featured; the database has no more places. */
export const MAX_FEATURED = 5;

/** How many listings can be approved with one click. */
export const MOST_APPROVED = 100;

/** 'Select all 40'; of more than can be approved with one click, the first of them as listed. */
export const selectAllLabel = (waiting: BoundedCount): string =>
  waiting.more || waiting.count > MOST_APPROVED
    ? `Select the first ${MOST_APPROVED} of ${countText(waiting)}`
    : `Select all ${countText(waiting)}`;

/** Said instead of deciding about something else than what was looked at. */
export const CHANGED_MEANWHILE = 'Its seller has changed it since you opened it. Please look at it again.';

export type FeatureRefusal = 'full' | 'not_public';

/** Toasts after a listing was featured or not. */
export const featuredMessages = {
  featured: { title: 'Property featured' },
  unfeatured: { title: 'Property unfeatured' },
  full: {
    title: 'Maximum featured properties reached',
    text: `You can only feature up to ${MAX_FEATURED} properties. Unfeature another one first.`,
  },
  notPublic: {
    title: 'Error',
    text: 'Only active properties of active sellers can be featured.',
  },
  failed: 'The property could not be changed. Please try again.',
} as const;

/** The statuses that the table of all properties can be limited to, in this order. */
export const STATUS_FILTERS: readonly PropertyStatus[] = ['Active', 'pending', 'escrow', 'Sold'];

/** What a search for statuses may find: their stored values and what pages show of them. */
export function statusesMatching(q: string): PropertyStatus[] {
  const word = q.trim().toLowerCase();
  if (word === '') return [];
  return (Object.keys(statusLabel) as PropertyStatus[]).filter(
    (status) => statusLabel[status].toLowerCase().includes(word) || status.toLowerCase().includes(word),
  );
}

/** Whether a listing can be featured: only what visitors see. */
export const canBeFeatured = ({
  status,
  sellerSuspended,
}: {
  status: PropertyStatus;
  sellerSuspended: boolean;
}): boolean => status === 'Active' && !sellerSuspended;

/** Toasts after listings were decided. */
export const decisionMessages = {
  // Fixed word for word, also for one.
  approved: (count: number) => `${formatCount(count)} properties approved successfully`,
  request_changes: { title: 'Changes requested', text: 'The seller was notified by email.' },
  reject: { title: 'Property rejected', text: 'The seller was notified by email.' },
  approveFailed: 'Failed to approve properties',
  failed: 'The decision could not be saved. Please try again.',
} as const;
