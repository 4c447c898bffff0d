/** Sentences about vacant lots. */

/** `from` and `to` limit the acres that a sentence applies to. */
export const LOT_OPENINGS: readonly { text: string; from?: number; to?: number }[] = [
  { text: '{Acres} of open ground on {street}, staked at all four corners.' },
  { text: 'A gently sloping lot of {acres} with the survey done and the pins in.' },
  { text: 'Bare land, {acres}, at the end of the paved part of {street}.', from: 1 },
  { text: 'The last unbuilt lot on {street}, {acres} and nearly level.', to: 3 },
  { text: '{Acres} outside {town}, mown twice a year and otherwise left alone.', from: 1 },
  { text: 'An old hay field of {acres}, walled on two sides.', from: 2 },
  { text: 'A corner of the former Pruitt orchard, {acres}, with a few of the trees still bearing.', to: 12 },
  { text: '{Acres} with a building site where your eye goes first.' },
  { text: 'High, dry ground: {acres} facing {view}.' },
  { text: 'A small lot in town, {acres}, two streets from {landmark}.', to: 0.9 },
  { text: 'A lot between two good houses on {street}, {acres} and already fenced.', to: 0.9 },
  { text: 'Meadow in front, woods behind, {acres} in all.', from: 2 },
  { text: 'The family has kept this ground since {soldYear} and never found time to build.' },
  { text: 'Rolling pasture, {acres}, with a gate on {street} and a view of {view}.', from: 5 },
];

export const LOT_SENTENCES = [
  'Power and fiber run along the road.',
  'The soil was tested in {recent}, and a septic design for four bedrooms is approved.',
  'Town water at the street; the tap fee is paid.',
  'A driveway permit is in hand and the culvert is set.',
  'Zoned for one house and one small second one.',
  'The survey is from {recent} and the corners are easy to find.',
  'A drilled well gives eight gallons a minute and has never gone dry.',
  'There are covenants, they fit on one page, and they are sensible.',
  'No covenants, no association, and no minimum size.',
  'The south end would take solar; the north end is shade until noon.',
  'Timber was thinned in {recent} and the slash has been cleaned up.',
  'A seasonal stream marks the back line.',
  'The neighbor cuts hay here and would go on doing so.',
  'The right-of-way is recorded and shared with one neighbor.',
  'Out of the flood zone on the current map.',
  'An old stone cellar hole marks where the first house stood.',
  'Two likely house sites, one with the view and one out of the wind.',
  'The price allows for the road work that the last quarter mile needs.',
  'A spring box above the meadow still runs.',
  'Build next year, camp on it this one.',
  'Perc test, title report and soil map are ready to send.',
  'Deer paths show the easiest way up.',
] as const;

export const LOT_TITLES = [
  '{Acres} on {street}',
  'Building lot near {landmark}',
  'Open ground facing {view}',
  'Staked lot, {acres}',
  '{Town} land, {acres}',
  'House site near {water}',
] as const;

/** Lot sizes, in acres and in words. */
export const LOT_SIZES: readonly { acres: number; words: string; weight: number }[] = [
  { acres: 0.17, words: 'a sixth of an acre', weight: 2 },
  { acres: 0.25, words: 'a quarter acre', weight: 4 },
  { acres: 0.33, words: 'a third of an acre', weight: 3 },
  { acres: 0.5, words: 'half an acre', weight: 4 },
  { acres: 1, words: 'one acre', weight: 5 },
  { acres: 1.5, words: 'an acre and a half', weight: 3 },
  { acres: 2, words: 'two acres', weight: 4 },
  { acres: 2.5, words: 'two and a half acres', weight: 3 },
  { acres: 3.4, words: '3.4 acres', weight: 2 },
  { acres: 5, words: 'five acres', weight: 5 },
  { acres: 8, words: 'eight acres', weight: 3 },
  { acres: 10, words: 'ten acres', weight: 3 },
  { acres: 12.5, words: '12.5 acres', weight: 2 },
  { acres: 20, words: 'twenty acres', weight: 2 },
  { acres: 40, words: 'forty acres', weight: 2 },
  { acres: 118, words: '118 acres', weight: 1 },
];
