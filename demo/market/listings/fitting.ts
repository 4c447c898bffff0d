import type { Sketch } from './sketch.ts';

const AFTER_1990 = 1990;

/** Words that would be wrong about some listings. */
const WRONG: readonly { about: (sketch: Sketch) => boolean; words: RegExp }[] = [
  {
    about: ({ front }) => front === 'ranch',
    words:
      /stair|upstairs|downstairs|upper |landing|attic|under the roof|bedroom floor|ground floor|steps down/i,
  },
  {
    about: ({ yearBuilt }) => (yearBuilt ?? 0) > AFTER_1990,
    words:
      /original|moldings|clawfoot|milk pass|nail holes|older than|old sashes|relined|wiring and panel|copper supply|beadboard/i,
  },
  {
    about: ({ kind, bedrooms }) => kind === 'Single Family' && bedrooms < 3,
    words: /two rooms that could|smallest bedroom|two of the bedrooms|children’s room|one bedroom is on/i,
  },
  {
    about: ({ front }) => front === 'row houses',
    words: /apartment|hallway|hall lights|sprinkler|boiler|parcels|the entry/i,
  },
  {
    about: ({ front }) => front === 'workshop',
    words: /upper floor|basement|foot traffic|counters|plate-glass|barber/i,
  },
  {
    about: ({ front }) => front === 'trading post' || front === 'storefront',
    words: /mezzanine|roof lights|second meter for the rear/i,
  },
  { about: ({ front }) => front === 'trading post', words: /elevator|upper floor|full pallet/i },
];

/** Whether a sentence may stand in a description of this listing. */
export const isTrueOf = (sketch: Sketch, sentence: string): boolean =>
  !WRONG.some(({ about, words }) => about(sketch) && words.test(sentence));
