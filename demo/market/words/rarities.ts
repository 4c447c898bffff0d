import type { BuildingStyle } from '#illustrator/building-styles.ts';
import type { PropertyKind } from '#illustrator/illustration-key.ts';

/** A special feature of a single listing: its sentence is added to the description, its title becomes the title. */
export interface Rarity {
  kind: PropertyKind;
  title: string;
  sentence: string;
  /** where it is plausible; anywhere if omitted */
  towns?: readonly string[];
  /** which styles the title fits; any if omitted */
  styles?: readonly BuildingStyle[];
}

const home = (title: string, sentence: string, towns?: readonly string[]): Rarity => ({
  kind: 'Single Family',
  title: `House ${title}`,
  sentence,
  ...(towns && { towns }),
});

export const RARITIES: readonly Rarity[] = [
  home(
    'with a small observatory',
    'On the roof of the garage is a small observatory with a dome that still turns by hand; the telescope is negotiable.',
  ),
  home(
    'beside a koi pond',
    'The koi pond was dug by the last owner, holds nineteen fish, and is heated enough to keep them through winter.',
  ),
  home(
    'and a yurt in the meadow',
    'A twenty-foot yurt on a cedar deck stands in the meadow, with power, a stove and a very good mattress.',
    ['Elk Crossing', 'Maple Notch', 'Stillwater'],
  ),
  home(
    'with a casita',
    'Across the courtyard is a one-room casita with its own kiva fireplace, bath and address.',
    ['Pinyon Wells', 'Agave Springs'],
  ),
  home(
    'with a wood-fired sauna',
    'The sauna by the back fence is wood-fired, seats five and is hot in forty minutes.',
    ['Birch Landing', 'Stillwater', 'Fernridge'],
  ),
  home(
    'with an apiary',
    'Six hives of the apiary convey with the house, and so does the number of the man who looks after them.',
  ),
  home(
    'with a sugar shack',
    'There is a working sugar shack with an evaporator, and a hundred and ten taps in reach of it.',
    ['Maple Notch'],
  ),
  home(
    'with a darkroom',
    'In the basement is a darkroom with running water, a fan and a red light, ready for someone who still prints.',
  ),
  home(
    'with a kiln house',
    'A brick kiln house behind the garage has fired pots for forty years and passed inspection in May.',
  ),
  home(
    'with a dovecote',
    'The dovecote over the gate is older than the house and has been reroofed in slate.',
  ),
  home(
    'with a boathouse',
    'Below the bank is a boathouse with a cradle, a winch and a rowing skiff that stays.',
    ['Stillwater', 'Birch Landing'],
  ),
  home(
    'with a lap pool',
    'A narrow lap pool runs the length of the south wall and is heated by panels on the roof.',
  ),
  home(
    'with a root cellar',
    'The root cellar is dug into the hill behind the kitchen and holds fifty degrees in any month.',
    ['Prairie Bend', 'Elk Crossing', 'Hollins Ferry'],
  ),
  home('with a bocce court', 'A regulation bocce court of crushed oyster shell lies under the grape arbor.', [
    'Saltmarsh Point',
  ]),
  home(
    'with a library ladder',
    'The library has twelve-foot shelves on two walls and a rolling ladder on a brass method.',
  ),
  home(
    'with a recording studio',
    'The old milk room is a recording studio now: floating floor, two booths and no hum.',
  ),
  home(
    'with a dumbwaiter',
    'A restored dumbwaiter links the kitchen with the upper floor and is the reason breakfast is upstairs.',
  ),
  home(
    'with a greenhouse',
    'The glass greenhouse on the south wall grows lemons, which in this town is saying something.',
    ['Harbor Light', 'Maple Notch', 'Birch Landing'],
  ),
  home('with a treehouse', 'The treehouse in the big oak has a spiral stair, a bunk and a building permit.'),
  home(
    'with a bell tower',
    'A short bell tower over the stair comes from the old school, bell included, rope negotiable.',
  ),
  home(
    'with a windmill',
    'The windmill still lifts water to the stock tank, which makes a fine cold plunge in July.',
    ['Dry Creek', 'Prairie Bend'],
  ),
  home(
    'with a cider press',
    'In the barn are a cider press, a grinder and shelves for two hundred bottles.',
    ['Cedar Hollow'],
  ),
  home('with a labyrinth', 'A turf labyrinth is mown into the upper field and takes eleven minutes to walk.'),
  home(
    'with a harpsichord room',
    'The north room was built around a harpsichord, with cork under the floor; the harpsichord leaves, the acoustics stay.',
  ),
  {
    kind: 'Commercial',
    title: 'Workshop with a letterpress',
    sentence: 'A letterpress and two cabinets of wood type are in the back room and are part of the deal.',
    styles: ['workshop'],
  },
  {
    kind: 'Commercial',
    title: 'Shop with a soda fountain',
    sentence: 'The soda fountain is from 1927, has eleven stools, and was plumbed again two years ago.',
    styles: ['storefront', 'trading post'],
  },
  {
    kind: 'Commercial',
    title: 'Building with a projection booth',
    sentence: 'Upstairs at the back is a projection booth, from the six years when this was a cinema.',
    styles: ['storefront'],
  },
  {
    kind: 'Multi-Family',
    title: 'Apartments with a rooftop apiary',
    sentence: 'On the roof are four hives and a pergola; the honey is divided by square footage.',
    styles: ['walk-up', 'courtyard'],
  },
  {
    kind: 'Multi-Family',
    title: 'Apartments with a cistern garden',
    sentence:
      'A brick cistern under the garden holds nine thousand gallons and waters everything from May to September.',
    styles: ['walk-up', 'courtyard'],
  },
  {
    kind: 'Vacant Lot',
    title: 'Land with a fire lookout',
    sentence:
      'A decommissioned fire lookout stands at the top corner, on its original legs and open to ideas.',
    towns: ['Elk Crossing', 'Fernridge', 'Pinyon Wells', 'Agave Springs'],
  },
  {
    kind: 'Vacant Lot',
    title: 'Land with a quarry pool',
    sentence:
      'An old granite quarry at the back has filled with water so clear that you can count the trout.',
    towns: ['Harbor Light', 'Maple Notch', 'Dry Creek'],
  },
];
