import { searchText } from '#features/search/words.ts';
import { mulberry32 } from '#illustrator/random.ts';
import { addressOf, directions, type Feature, featureNames, type Home, suffixes } from './market.ts';

export type Kind = 'address' | 'place' | 'intent';

/** A generated query: either one home is wanted, or those that fit. */
export interface Query {
  kind: Kind;
  className: string;
  text: string;
  wants: { target: string } | { fits: (home: Home) => boolean };
}

type Draw = () => number;
interface Class {
  kind: Kind;
  /** null: the home is not of the class */
  of: (home: Home, draw: Draw) => { text: string; fits?: (home: Home) => boolean } | null;
}

const states: Record<string, string> = Object.fromEntries(
  `AL Alabama|AK Alaska|AZ Arizona|AR Arkansas|CA California|CO Colorado|CT Connecticut|DC District of Columbia|FL Florida|GA Georgia|HI Hawaii|ID Idaho
IL Illinois|IN Indiana|IA Iowa|KS Kansas|KY Kentucky|LA Louisiana|ME Maine|MD Maryland|MA Massachusetts|MI Michigan|MN Minnesota|MO Missouri|MT Montana
NE Nebraska|NV Nevada|NH New Hampshire|NM New Mexico|NY New York|NC North Carolina|ND North Dakota|OH Ohio|OK Oklahoma|OR Oregon|PA Pennsylvania
SC South Carolina|TN Tennessee|TX Texas|UT Utah|VT Vermont|VA Virginia|WA Washington|WI Wisconsin`
    .split(/[|\n]/)
    .map((line) => [line.slice(0, 2), line.slice(3)]),
);
const stateName = ({ state }: Home) => states[state] ?? state;
const pick = <T>(draw: Draw, list: readonly T[]): T => list[Math.floor(draw() * list.length)] as T;
const joined = (...parts: (string | null)[]) => parts.filter(Boolean).join(' ');
const other = (pairs: readonly (readonly [string, string])[], word: string): string => {
  const [full = '', short = ''] = pairs.find((pair) => pair.includes(word)) ?? [];
  return word === full ? short : full;
};
/** The street with its name as given and the rest as it is. */
const street = (home: Home, change: Partial<Home> = {}) => addressOf({ ...home, ...change });
const respelled: readonly (readonly [string, string])[] = [
  ['St', 'Saint'],
  ['Saint', 'St'],
  ['Mount', 'Mt'],
  ['Fort', 'Ft'],
  ['St.', 'Saint'],
  ['Ft.', 'Fort'],
  ['Mt.', 'Mount'],
];
/** 'St. Paul' for 'Saint Paul'; null for names that are written in one way. */
function respell(name: string): string | null {
  const [first = '', ...rest] = name.split(' ');
  const [, otherFirst] = respelled.find(([written]) => written === first) ?? [];
  return otherFirst && rest.length > 0 ? [otherFirst, ...rest].join(' ') : null;
}
const ordinals: Record<string, string> = {
  '2nd': 'Second',
  '3rd': 'Third',
  '11th': 'Eleventh',
  '21st': 'Twenty-First',
  '42nd': 'Forty-Second',
  First: '1st',
  Fifth: '5th',
};

/** A letter missing, doubled, wrong or swapped within the name of the street. */
function mistyped(name: string, draw: Draw): string | null {
  if (!/^[A-Z][a-z]{5,}$/.test(name)) return null;
  const at = 1 + Math.floor(draw() * (name.length - 2));
  const [before, own, next, after] = [
    name.slice(0, at),
    name.charAt(at),
    name.charAt(at + 1),
    name.slice(at + 2),
  ];
  const made = pick(draw, [
    before + next + after,
    before + own + own + next + after,
    before + next + own + after,
  ]);
  return made === name ? null : made;
}

const sameText = (one: string | null, asked: string) => one !== null && searchText(one) === searchText(asked);
/** Whether the home is in the city, also when it is written in another way. */
const inCity = (home: Home, city: string) => sameText(home.city, city) || sameText(respell(home.city), city);
const cityText = ({ city, state }: Home, draw: Draw) =>
  pick(draw, [`${city}, ${state}`, `${city} ${state}`.toLowerCase()]);
/** A bare state's name in a query means the state and the cities of this name. */
const inStateNamed = (home: Home, name: string) => stateName(home) === name || inCity(home, name);

const target = (text: string | null) => (text === null ? null : { text });
const address = (of: (home: Home, draw: Draw) => string | null): Class => ({
  kind: 'address',
  of: (home, draw) => target(of(home, draw)),
});

const round = (value: number, to: number) => Math.round(value / to) * to;

/** Thirty-two classes of what people type. */
const classes: Record<string, Class> = {
  'address as it is': address((home) => street(home)),
  'in small letters, without punctuation': address((home) => searchText(street(home))),
  'suffix in the other form': address((home) => street(home, { suffix: other(suffixes, home.suffix) })),
  'direction in the other form': address((home) =>
    home.direction ? street(home, { direction: other(directions, home.direction) }) : null,
  ),
  'suffix left out, with city': address((home) => `${street(home, { suffix: '' })} ${home.city}`),
  'direction left out, with city': address((home) =>
    home.direction ? `${street(home, { direction: '' })}, ${home.city}` : null,
  ),
  'unit in another form': address((home, draw) =>
    home.unit
      ? street(home, {
          unit: `${pick(draw, ['#', 'Unit ', 'Apt ', 'Apartment ', 'Ste '])}${home.unit.replace(/\D/g, '')}`,
        })
      : null,
  ),
  'with city': address((home) => `${street(home)}, ${home.city}`),
  'with city and state': address((home) => `${street(home)}, ${home.city}, ${home.state}`),
  'with city and name of the state': address((home) => `${street(home)} ${home.city} ${stateName(home)}`),
  'in full, as on a letter': address(
    (home) =>
      `${street(home)}, ${home.city}, ${pick(Math.random, [home.state, stateName(home)])} ${home.zip}, USA`,
  ),
  'with ZIP+4': address((home) => `${street(home)} ${home.zip}-1234`),
  'city first': address((home) => `${home.city} ${home.street} ${home.suffix} ${home.number}`),
  'ordinal in the other form': address((home) =>
    ordinals[home.street] ? `${street(home, { street: ordinals[home.street] ?? '' })} ${home.city}` : null,
  ),
  'a number within a range': address((home) => {
    const [low, high] = home.number.split('-').map(Number);
    return low && high ? `${street(home, { number: String(low + 1) })} ${home.city}` : null;
  }),
  'one letter wrong': address((home, draw) => {
    const wrong = mistyped(home.street, draw);
    return wrong && `${street(home, { street: wrong })} ${home.city}`;
  }),
  'Saint, Fort and Mount in the other form': address((home) => {
    const [name, city] = [respell(home.street), respell(home.city)];
    return name || city ? `${street(home, { street: name ?? home.street })}, ${city ?? home.city}` : null;
  }),
  'number of the MLS': address((home, draw) =>
    home.mlsNumber === null
      ? null
      : pick(draw, [home.mlsNumber, `MLS# ${home.mlsNumber}`, `mls ${home.mlsNumber.toLowerCase()}`]),
  ),

  city: {
    kind: 'place',
    of: ({ city }) => ({ text: city, fits: (one) => inStateNamed(one, city) || inCity(one, city) }),
  },
  'city and state': {
    kind: 'place',
    of: (home, draw) => ({
      text: cityText(home, draw),
      fits: (one) => inCity(one, home.city) && one.state === home.state,
    }),
  },
  'city and name of the state': {
    kind: 'place',
    of: (home) => ({
      text: `${home.city} ${stateName(home)}`,
      fits: (one) => inCity(one, home.city) && one.state === home.state,
    }),
  },
  'name of a state': {
    kind: 'place',
    of: (home) => ({ text: stateName(home), fits: (one) => inStateNamed(one, stateName(home)) }),
  },
  'ZIP code': { kind: 'place', of: ({ zip }) => ({ text: zip, fits: (one) => one.zip === zip }) },
  neighborhood: {
    kind: 'place',
    of: ({ neighborhood: name }) =>
      name === null
        ? null
        : {
            text: pickSpelling(name),
            fits: (one) => sameText(one.neighborhood, name) || inCity(one, name),
          },
  },
  'neighborhood and city': {
    kind: 'place',
    of: ({ neighborhood: name, city }) =>
      name === null
        ? null
        : {
            text: `${name} ${city}`,
            fits: (one) => sameText(one.neighborhood, name) && inCity(one, city),
          },
  },
  'homes for sale in a city': {
    kind: 'place',
    of: (home, draw) => ({
      text: `${pick(draw, ['homes for sale in', 'houses in', 'real estate in'])} ${home.city}, ${home.state}`,
      fits: (one) => inCity(one, home.city) && one.state === home.state,
    }),
  },
  'city in another spelling': {
    kind: 'place',
    of: ({ city, state }) => {
      const spelled = respell(city);
      return spelled === null
        ? null
        : { text: `${spelled} ${state}`, fits: (one) => inCity(one, city) && one.state === state };
    },
  },

  rooms: {
    kind: 'intent',
    of: ({ beds, baths, city, state }, draw) =>
      beds && baths
        ? {
            text: joined(
              pick(draw, [
                `${beds} bed ${baths} bath`,
                `${beds}br ${baths}ba`,
                `${beds}+ bedrooms, ${baths}+ baths in`,
              ]),
              city,
              state,
            ),
            fits: (one) =>
              (one.beds ?? 0) >= beds &&
              (one.baths ?? 0) >= baths &&
              inCity(one, city) &&
              one.state === state,
          }
        : null,
  },
  'price under': {
    kind: 'intent',
    of: ({ price, city, state }, draw) => ({
      text: joined(
        `${city} ${state}`,
        pick(draw, [`under ${price / 1_000}k`, `below $${price.toLocaleString('en-US')}`, `max ${price}`]),
      ),
      fits: (one) => one.price <= price && inCity(one, city) && one.state === state,
    }),
  },
  'price between': {
    kind: 'intent',
    of: ({ price, state }, draw) => {
      const [low, high] = [round(price * 0.8, 10_000), round(price * 1.2, 10_000)];
      return {
        text: `${pick(draw, [`${low / 1_000}k-${high / 1_000}k`, `between ${low / 1_000}k and ${high / 1_000}k`, `$${low}-$${high}`])} ${states[state] ?? state}`,
        fits: (one) => one.price >= low && one.price <= high && inStateNamed(one, states[state] ?? state),
      };
    },
  },
  'square feet': {
    kind: 'intent',
    of: ({ sqft, city, state }, draw) => {
      if (!sqft) return null;
      const [low, high] = [Math.floor(sqft / 100) * 100, Math.ceil(sqft / 100) * 100 + 500];
      const inTown = (one: Home) => inCity(one, city) && one.state === state;
      return draw() < 0.6
        ? {
            text: `${pick(draw, [`at least ${low.toLocaleString('en-US')} sqft`, `${low}+ sq ft`, `over ${low} square feet`])} ${city} ${state}`,
            fits: (one) => (one.sqft ?? 0) >= low && inTown(one),
          }
        : {
            text: `${low}-${high} sq ft ${city} ${state}`,
            fits: (one) => (one.sqft ?? 0) >= low && (one.sqft ?? 0) <= high && inTown(one),
          };
    },
  },
  acres: {
    kind: 'intent',
    of: ({ lot, city, state }, draw) => {
      const acres = Math.floor((lot / 43_560) * 10) / 10;
      return acres < 0.5
        ? null
        : {
            text: `${pick(draw, [`${acres} acres`, `at least ${acres} acres`, `${acres}+ acre lot`])} ${city} ${state}`,
            fits: (one) => one.lot >= Math.floor(acres * 43_560) && inCity(one, city) && one.state === state,
          };
    },
  },
  'year built': {
    kind: 'intent',
    of: ({ year, city, state }, draw) => {
      if (!year) return null;
      const after = draw() < 0.7;
      return {
        text: `${city} ${state} built ${after ? `after ${year - 1}` : `before ${year + 1}`}`,
        fits: (one) =>
          one.year !== null &&
          (after ? one.year >= year : one.year <= year) &&
          inCity(one, city) &&
          one.state === state,
      };
    },
  },
  amenities: {
    kind: 'intent',
    of: ({ features, city, state }, draw) => {
      const feature = features[0] as Feature | undefined;
      return feature && featureNames.includes(feature)
        ? {
            text: pick(draw, [
              `${city} ${state} with ${feature}`,
              `${feature} ${city} ${state}`,
              `home with a ${feature} in ${city}, ${state}`,
            ]),
            fits: (one) => one.features.includes(feature) && inCity(one, city) && one.state === state,
          }
        : null;
    },
  },
  'kind of property': {
    kind: 'intent',
    of: ({ type, city, state }, draw) => ({
      text: joined(
        pick(
          draw,
          [
            ['land in', 'vacant land'],
            ['single family home in', 'single family'],
            ['multifamily in', 'duplex'],
            ['commercial property in', 'commercial'],
          ][type - 1] ?? [],
        ),
        city,
        state,
      ),
      fits: (one) => one.type === type && inCity(one, city) && one.state === state,
    }),
  },
  'all at once': {
    kind: 'intent',
    of: ({ beds, price, city, state, features: [feature] }) =>
      beds && feature
        ? {
            text: `${beds} bed with ${feature} under ${price / 1_000}k in ${city}, ${state}`,
            fits: (one) =>
              (one.beds ?? 0) >= beds &&
              one.price <= price &&
              one.features.includes(feature) &&
              inCity(one, city) &&
              one.state === state,
          }
        : null,
  },
};

const pickSpelling = (name: string) => respell(name) ?? name;

/** An address that more homes than this share in number and street is no question with one answer. */
const MAX_NAMESAKES = 5;

/** `count` queries, as many of each class, from homes drawn at random; the same for the same homes. */
export function queriesFor(homes: readonly Home[], count: number): Query[] {
  const draw = mulberry32(2_026);
  const key = (one: Home) => `${one.number} ${one.street}`;
  const shared = new Map<string, number>();
  for (const one of homes) shared.set(key(one), (shared.get(key(one)) ?? 0) + 1);
  const each = Math.ceil(count / Object.keys(classes).length);
  return Object.entries(classes).flatMap(([className, { kind, of }]) => {
    const made: Query[] = [];
    for (let tries = 0; made.length < each && tries < 100_000; tries++) {
      const home = pick(draw, homes);
      if (kind === 'address' && (shared.get(key(home)) ?? 0) > MAX_NAMESAKES) continue;
      const query = of(home, draw);
      if (!query) continue;
      made.push({
        kind,
        className,
        text: query.text,
        wants: query.fits ? { fits: query.fits } : { target: home.id },
      });
    }
    return made;
  });
}
