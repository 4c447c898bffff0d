const limit = (name: string, times: number, windowSeconds: number) => ({ name, limit: times, windowSeconds });

/** Rate limits of the seller's form. */
export const listingFormLimits = {
  /** autosave is debounced */
  saveDraft: [limit('save-draft', 120, 60)],
  submit: [limit('submit-listing', 20, 60), limit('submit-listing-day', 500, 86_400)],
  locate: [limit('locate-address', 60, 60)],
} as const;
