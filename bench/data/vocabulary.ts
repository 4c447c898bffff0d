/** Draws an index below `size`, low ones far more often, like word frequencies (Zipf, exponent about 1). */
export const skewed = (random: () => number, size: number): number => Math.floor((size + 1) ** random()) - 1;

const everyday =
  `the and with a of in to home kitchen room bedroom garage pool large new floor living bath yard to from this for
  spacious open updated school close views private family dining master main two fenced lot hardwood deck patio storage
  granite island appliances stainless roof fireplace quiet street natural light corner walk park shopping downtown minutes
  finished basement laundry office ceiling fans heated central air covered porch landscaped trees brick stone built
  move ready condition beautiful charming rare opportunity investor lake river mountain golf trail barn acre zoned
  utilities well septic fiber solar panels guest suite vaulted skylight pantry closet tile carpet paint windows sunroom
  loft studio balcony elevator gated community association clubhouse tennis dock boat waterfront easement survey
  observatory helipad yurt casita greenhouse workshop stable paddock orchard vineyard creek pond koi sauna cellar library`
    .split(/\s+/)
    .filter((word, index, all) => word && all.indexOf(word) === index);

const starts = 'b br c ch cl d dr f fl g gl gr h j k l m n p pl pr qu r s sh sl st t th tr v w wh z'.split(
  ' ',
);
const middles = 'a e i o u ai ea ee ie oa ou'.split(' ');
const ends = 'ck d ft g l ld ll m n nd ng nt p r rn rt s ss st t th ve x'.split(' ');

const pick = (random: () => number, list: readonly string[]): string =>
  list[Math.floor(random() * list.length)] ?? '';

function coinedWord(random: () => number): string {
  const syllable = () => pick(random, starts) + pick(random, middles);
  return Array.from({ length: 1 + Math.floor(random() * 3) }, syllable).join('') + pick(random, ends);
}

/** 24,000 words for descriptions, the most frequent first. */
export function descriptionWords(random: () => number): string[] {
  const words = new Set(everyday);
  while (words.size < 24_000) words.add(coinedWord(random));
  return [...words];
}

const trees =
  `Maple Oak Pine Cedar Elm Walnut Juniper Birch Willow Hickory Aspen Magnolia Cypress Laurel Chestnut Park Lake Hill
  Church Mill River Spring Main Washington Lincoln Jefferson Franklin Jackson Madison Highland Sunset Meadow Forest`.split(
    /\s+/,
  );
const firstHalves =
  'Hawk Fox Silver Amber Copper Stone River Wolf Deer Wind Moon Sun Rock Iron Gold Ash Bear Eagle Falcon Heron Otter Raven Sage Thorn Winter Summer'.split(
    ' ',
  );
const secondHalves =
  'field moor brook ridge dale wood haven crest gate ford vale run mead cliff view glen hollow bend water shire point'.split(
    ' ',
  );

/** Some 580 street names, the most common first. */
export const streetNames: readonly string[] = [
  ...trees,
  ...firstHalves.flatMap((first) => secondHalves.map((second) => first + second)),
];
export const streetKinds = [
  'Street',
  'Avenue',
  'Drive',
  'Lane',
  'Road',
  'Court',
  'Boulevard',
  'Way',
] as const;

const towns =
  'Spring Fair Green Clear West East North South Mill Bridge Cedar Oak Lake High Glen Ash Wood Marble Union Liberty'.split(
    ' ',
  );
const townEnds = 'ton ville field burg port dale wood mont view ford'.split(' ');

/** The name of town `number`. */
export const townName = (number: number): string =>
  `${towns[number % towns.length]}${townEnds[Math.floor(number / towns.length) % townEnds.length]}`;
