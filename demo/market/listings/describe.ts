import { below, type Chance, pick } from '../../illustrator/chance.ts';
import type { Front } from '../../illustrator/fronts.ts';
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
import { isTrueOf } from './fitting.ts';
import type { Sketch } from './sketch.ts';
import { fill, type Slots, slotsOf } from './slots.ts';

export interface Wording {
  title: string;
  description: string;
}

type Deal = () => string;
const decks = <K extends string>(chance: Chance, lists: Record<K, readonly string[]>): Map<string, Deal> =>
  new Map(Object.entries<readonly string[]>(lists).map(([name, list]) => [name, deck(chance, list)]));

/** Two sentences of one subject do not stand in one description. */
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

/** Returns the writer of the whole market: it deals its sentences so that each is used about equally often. */
export function writer(chance: Chance): (sketch: Sketch, rarity?: Rarity) => Wording {
  const openings = decks<Front>(chance, {
    ...HOME_OPENINGS,
    ...BLOCK_OPENINGS,
    ...SHOP_OPENINGS,
    'open ground': [],
  });
  const lotOpening = deck(chance, LOT_OPENINGS);
  const settings = decks(chance, SETTING_SENTENCES);
  const say = {
    room: deck(chance, HOME_ROOMS),
    grounds: deck(chance, HOME_GROUNDS),
    works: deck(chance, HOME_WORKS),
    closing: deck(chance, HOME_CLOSINGS),
    block: deck(chance, BLOCK_SENTENCES),
    shop: deck(chance, SHOP_SENTENCES),
    lot: deck(chance, LOT_SENTENCES),
  };
  const titles = {
    'Single Family': deck(chance, HOME_TITLES),
    'Multi-Family': deck(chance, BLOCK_TITLES),
    Commercial: deck(chance, SHOP_TITLES),
    'Vacant Lot': deck(chance, LOT_TITLES),
  };
  const named = (from: Map<string, Deal>, name: string): Deal => {
    const found = from.get(name);
    if (!found) throw new Error(`No sentences for ${name}`);
    return found;
  };

  const outline = (sketch: Sketch): Deal[] => {
    const { kind, town } = sketch;
    const count = 2 + below(chance, 3);
    if (kind === 'Multi-Family') return Array.from({ length: count + 1 }, () => say.block);
    if (kind === 'Commercial') return Array.from({ length: count }, () => say.shop);
    if (kind === 'Vacant Lot') return Array.from({ length: count }, () => say.lot);
    const setting = named(settings, town.setting);
    const { room, grounds, works, closing } = say;
    return pick(chance, [
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

  return (sketch, rarity) => {
    const slots = slotsOf(chance, sketch);
    const opening = () => {
      if (sketch.kind !== 'Vacant Lot') return named(openings, sketch.front)();
      const { text, from = 0, to = Number.POSITIVE_INFINITY } = lotOpening();
      const acres = sketch.acres?.count ?? 1;
      return acres >= from && acres <= to ? text : '';
    };
    const sentences = rarity ? [rarity.sentence] : [];
    const described = [opening, ...outline(sketch)].map((deal) => next(deal, sketch, slots, sentences));
    const [first = '', second = '', ...rest] = described;
    const description = [first, second, rarity?.sentence ?? '', ...rest].filter(Boolean).join(' ');
    return { title: rarity?.title ?? next(titles[sketch.kind], sketch, slots, []), description };
  };
}

const PATIENCE = 60;

/** The next sentence that is true of the listing and says nothing that was said; `said` grows by it. */
function next(deal: Deal, sketch: Sketch, slots: Slots, said: string[]): string {
  for (let attempt = 0; attempt < PATIENCE; attempt += 1) {
    const sentence = fill(deal(), slots);
    if (!sentence || !isTrueOf(sketch, sentence)) continue;
    const repeats =
      said.includes(sentence) ||
      SUBJECTS.some((subject) => subject.test(sentence) && said.some((other) => subject.test(other)));
    if (repeats) continue;
    said.push(sentence);
    return sentence;
  }
  return '';
}
