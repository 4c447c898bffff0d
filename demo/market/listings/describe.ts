import type { BuildingStyle } from '#illustrator/building-styles.ts';
import { pick, type Random, randomInt } from '#illustrator/random.ts';
import { deck } from '../ids.ts';
import {
  BLOCK_OPENINGS,
  BLOCK_SENTENCES,
  BLOCK_TITLES,
  SHOP_OPENINGS,
  SHOP_SENTENCES,
  SHOP_TITLES,
} from '../words/buildings.ts';
import {
  HOME_CLOSINGS,
  HOME_GROUNDS,
  HOME_OPENINGS,
  HOME_ROOMS,
  HOME_TITLES,
  HOME_WORKS,
} from '../words/homes.ts';
import { LOT_OPENINGS, LOT_SENTENCES, LOT_TITLES } from '../words/lots.ts';
import type { Rarity } from '../words/rarities.ts';
import { SETTING_SENTENCES } from '../words/settings.ts';
import type { ListingSpec } from './listing-spec.ts';
import { sentenceFits } from './sentence-rules.ts';
import { fillSlots, type Slots, slotsOf } from './slots.ts';

export interface ListingText {
  title: string;
  description: string;
}

type NextSentence = () => string;
const decks = <K extends string>(
  random: Random,
  lists: Record<K, readonly string[]>,
): Map<string, NextSentence> =>
  new Map(Object.entries<readonly string[]>(lists).map(([name, list]) => [name, deck(random, list)]));

/** A description has at most one sentence on each of these subjects. */
const SUBJECTS = [
  /\bwell\b|septic|sewer|town water|spring box/i,
  /heat|furnace|boiler|stove|insulat/i,
  /roof|gutter/i,
  /kitchen|cook|counters|cabinets/i,
  /\bbaths?\b|bathroom|tub\b/i,
  /pantry/i,
  /garage|carport|parking|\bpark\b/i,
  /porch/i,
  /chimney|fire/i,
  /survey|corners|pins/i,
  /covenant|association/i,
  /walk\b|blocks|streets from/i,
  /\blet\b|rent|tenant|lease/i,
  /timber|woods|woodshed/i,
  /family|families|owner|sisters|sellers/i,
];

/**
 * Returns a function that writes titles and descriptions. Use one for all listings, so that each sentence is used about
 * equally often.
 */
export function descriptionWriter(random: Random): (spec: ListingSpec, rarity?: Rarity) => ListingText {
  const openings = decks<BuildingStyle>(random, {
    ...HOME_OPENINGS,
    ...BLOCK_OPENINGS,
    ...SHOP_OPENINGS,
    'open ground': [],
  });
  const lotOpening = deck(random, LOT_OPENINGS);
  const settings = decks(random, SETTING_SENTENCES);
  const sentenceDecks = {
    room: deck(random, HOME_ROOMS),
    grounds: deck(random, HOME_GROUNDS),
    works: deck(random, HOME_WORKS),
    closing: deck(random, HOME_CLOSINGS),
    block: deck(random, BLOCK_SENTENCES),
    shop: deck(random, SHOP_SENTENCES),
    lot: deck(random, LOT_SENTENCES),
  };
  const titles = {
    'Single Family': deck(random, HOME_TITLES),
    'Multi-Family': deck(random, BLOCK_TITLES),
    Commercial: deck(random, SHOP_TITLES),
    'Vacant Lot': deck(random, LOT_TITLES),
  };
  const named = (from: Map<string, NextSentence>, name: string): NextSentence => {
    const found = from.get(name);
    if (!found) throw new Error(`No sentences for ${name}`);
    return found;
  };

  const outline = (spec: ListingSpec): NextSentence[] => {
    const { kind, town } = spec;
    const count = 2 + randomInt(random, 3);
    if (kind === 'Multi-Family') return Array.from({ length: count + 1 }, () => sentenceDecks.block);
    if (kind === 'Commercial') return Array.from({ length: count }, () => sentenceDecks.shop);
    if (kind === 'Vacant Lot') return Array.from({ length: count }, () => sentenceDecks.lot);
    const setting = named(settings, town.setting);
    const { room, grounds, works, closing } = sentenceDecks;
    return pick(random, [
      [room, setting, works],
      [room, room, grounds, closing],
      [setting, room, works, closing],
      [room, works],
      [grounds, room, setting, closing],
      [room, room, setting, works],
      [room, grounds, works, works],
      [setting, room, room, grounds, closing],
    ]);
  };

  return (spec, rarity) => {
    const slots = slotsOf(random, spec);
    const opening = () => {
      if (spec.kind !== 'Vacant Lot') return named(openings, spec.style)();
      const { text, from = 0, to = Number.POSITIVE_INFINITY } = lotOpening();
      const acres = spec.acres?.count ?? 1;
      return acres >= from && acres <= to ? text : '';
    };
    const sentences = rarity ? [rarity.sentence] : [];
    const described = [opening, ...outline(spec)].map((nextSentence) =>
      drawSentence(nextSentence, spec, slots, sentences),
    );
    const [first = '', second = '', ...rest] = described;
    const description = [first, second, rarity?.sentence ?? '', ...rest].filter(Boolean).join(' ');
    return { title: rarity?.title ?? drawSentence(titles[spec.kind], spec, slots, []), description };
  };
}

const MAX_ATTEMPTS = 60;

/** The next sentence that is true of the listing and repeats nothing in `said`, which it is added to; empty if none. */
function drawSentence(nextSentence: NextSentence, spec: ListingSpec, slots: Slots, said: string[]): string {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const sentence = fillSlots(nextSentence(), slots);
    if (!sentence || !sentenceFits(spec, sentence)) continue;
    const repeats =
      said.includes(sentence) ||
      SUBJECTS.some((subject) => subject.test(sentence) && said.some((other) => subject.test(other)));
    if (repeats) continue;
    said.push(sentence);
    return sentence;
  }
  return '';
}
