import type { ListingSpec } from './listing-spec.ts';

const AFTER_1990 = 1990;

/** Wording that would be wrong for some listings. */
const EXCLUSIONS: readonly { applies: (sketch: ListingSpec) => boolean; pattern: RegExp }[] = [
  {
    applies: ({ style }) => style === 'ranch',
    pattern:
      /stair|upstairs|downstairs|upper |landing|attic|under the roof|bedroom floor|ground floor|steps down/i,
  },
  {
    applies: ({ yearBuilt }) => (yearBuilt ?? 0) > AFTER_1990,
    pattern:
      /original|moldings|clawfoot|milk pass|nail holes|older than|old sashes|relined|wiring and panel|copper supply|beadboard/i,
  },
  {
    applies: ({ kind, bedrooms }) => kind === 'Single Family' && bedrooms < 3,
    pattern: /two rooms that could|smallest bedroom|two of the bedrooms|children’s room|one bedroom is on/i,
  },
  {
    applies: ({ style }) => style === 'row houses',
    pattern: /apartment|hallway|hall lights|sprinkler|boiler|parcels|the entry/i,
  },
  {
    applies: ({ style }) => style === 'workshop',
    pattern: /upper floor|basement|foot traffic|counters|plate-glass|barber/i,
  },
  {
    applies: ({ style }) => style === 'trading post' || style === 'storefront',
    pattern: /mezzanine|roof lights|second meter for the rear/i,
  },
  { applies: ({ style }) => style === 'trading post', pattern: /elevator|upper floor|full pallet/i },
];

/** Whether a sentence may be used in the description of this listing. */
export const sentenceFits = (sketch: ListingSpec, sentence: string): boolean =>
  !EXCLUSIONS.some(({ applies, pattern }) => applies(sketch) && pattern.test(sentence));
