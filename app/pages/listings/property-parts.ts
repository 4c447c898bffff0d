/** The code of the facts of a property. */
export const loadFacts = async () =>
  (await import('#features/listings/components/detail-facts.tsx')).DetailFacts;

/** The code of its description and details, which the facts bring with them. */
export const loadDescription = async () =>
  (await import('#features/listings/components/detail-facts.tsx')).DetailDescription;

/** The code of its price and how it is bought. */
export const loadBuyBox = async () => (await import('./buy-box.tsx')).BuyBox;

/** Asks for both while the data of a property is on its way; where that fails, its page asks again. */
export const preloadParts = (): Promise<unknown> => Promise.allSettled([loadFacts(), loadBuyBox()]);
