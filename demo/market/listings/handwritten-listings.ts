import type { PropertyKind } from '#illustrator/illustration-key.ts';

/** A listing written by hand, as it appears in the design mock-ups. */
export interface HandwrittenListing {
  kind: PropertyKind;
  town: string;
  street: string;
  address: string;
  title: string;
  description: string;
  price: number;
  bedrooms: number;
  bathrooms: number;
  squareFeet: number | null;
  lotSquareFeet: number;
  yearBuilt: number | null;
  createdDaysAgo: number;
  /** hash of its illustration */
  picture: number;
  featuredSlot?: number;
}

export const HANDWRITTEN_LISTINGS: readonly HandwrittenListing[] = [
  {
    kind: 'Single Family',
    town: 'Fernridge',
    street: 'Mill Pond Road',
    address: '615 Mill Pond Road',
    title: 'Barn house beside the mill pond',
    description:
      'A board-and-batten house built on the footprint of the old mill barn, with the great room in the gable and the bedrooms along the quiet side. The pond is across the road and the herons come with it. Heated floors downstairs, skylights over the hall, and a kitchen that was planned by someone who bakes. The roof is six years old and there is fiber at the curb.',
    price: 689_000,
    bedrooms: 3,
    bathrooms: 2,
    squareFeet: 2210,
    lotSquareFeet: 16_120,
    yearBuilt: 2008,
    createdDaysAgo: 1.2,
    picture: 6,
  },
  {
    kind: 'Vacant Lot',
    town: 'Cedar Hollow',
    street: 'Orchard Road',
    address: 'Lot 7, Orchard Road',
    title: 'One acre of the old orchard',
    description:
      'One acre on Orchard Road, staked at all four corners, with fifteen apple trees that still bear. Power and fiber run along the road and the tap fee is paid. The house site is at the top, where the trees stop and the view down the valley begins. There are covenants, they fit on one page, and they are sensible.',
    price: 189_500,
    bedrooms: 0,
    bathrooms: 0,
    squareFeet: null,
    lotSquareFeet: 43_560,
    yearBuilt: null,
    createdDaysAgo: 5.1,
    picture: 6,
    featuredSlot: 5,
  },
  {
    kind: 'Single Family',
    town: 'Cedar Hollow',
    street: 'Larkspur Lane',
    address: '48 Larkspur Lane',
    title: 'Farmhouse with the good porch',
    description:
      'The gray-green farmhouse at the bend of Larkspur Lane has faced the orchards since 1911. Four bedrooms upstairs, a study off the porch, and a kitchen with a table in the middle where most things happen. The porch was rebuilt board by board, the wiring and the drains are new, and the stairs are exactly as steep as they always were. A row of pear trees, two sheds and a root cellar go with it.',
    price: 742_000,
    bedrooms: 4,
    bathrooms: 3,
    squareFeet: 2840,
    lotSquareFeet: 27_450,
    yearBuilt: 1911,
    createdDaysAgo: 2.1,
    picture: 16,
    featuredSlot: 1,
  },
  {
    kind: 'Single Family',
    town: 'Cedar Hollow',
    street: 'Heron Way',
    address: '27 Heron Way',
    title: 'One-story house on the creek side',
    description:
      'Everything is on one floor: three bedrooms, two baths, a long living room and a carport wide enough for a trailer. The stone front wall was laid by hand with rock from the site. Hollow Creek runs behind the back fence and can be heard from all of the bedrooms. One owner since it was built, and it shows in the closets.',
    price: 615_000,
    bedrooms: 3,
    bathrooms: 2,
    squareFeet: 1960,
    lotSquareFeet: 12_200,
    yearBuilt: 1958,
    createdDaysAgo: 2.7,
    picture: 5,
  },
  {
    kind: 'Single Family',
    town: 'Fernridge',
    street: 'Summit Terrace',
    address: '1170 Summit Terrace',
    title: 'Cedar-clad house above the valley',
    description:
      'A cedar-clad house on the last rise before the forest. The ground floor opens to a single long room with a window seat along the south wall; upstairs, four bedrooms share a covered balcony that looks down the valley. The well, the roof and the heat pump were all new in 2019.',
    price: 1_248_000,
    bedrooms: 5,
    bathrooms: 4,
    squareFeet: 3960,
    lotSquareFeet: 60_980,
    yearBuilt: 2019,
    createdDaysAgo: 3.1,
    picture: 2,
    featuredSlot: 2,
  },
  {
    kind: 'Commercial',
    town: 'Stillwater',
    street: 'Wagon Street',
    address: '84 Wagon Street',
    title: 'The old trading post on Wagon Street',
    description:
      'Stillwater bought its rope, lamp oil and licorice here from 1889 on. Behind the stepped front is one clear room with a heart-pine floor, the long counter and a loft; the porch has six posts and room for a bench between any two of them. Zoned for retail and food. The building is empty, swept and ready.',
    price: 540_000,
    bedrooms: 0,
    bathrooms: 1,
    squareFeet: 2660,
    lotSquareFeet: 7_800,
    yearBuilt: 1889,
    createdDaysAgo: 3.6,
    picture: 13,
  },
  {
    kind: 'Multi-Family',
    town: 'Port Alder',
    street: 'Mercer Row',
    address: '22–30 Mercer Row',
    title: 'Mercer Row, five brick houses under one deed',
    description:
      'Five brick houses in a row, each with two bedrooms, its own steps, its own meter and its own color. All five are let and the leases end in different months. The cornices were repaired in 2017 and the roofs were done together the year after. It is four blocks to the net lofts, downhill.',
    price: 1_865_000,
    bedrooms: 10,
    bathrooms: 10,
    squareFeet: 7400,
    lotSquareFeet: 8_900,
    yearBuilt: 1896,
    createdDaysAgo: 4.2,
    picture: 12,
    featuredSlot: 3,
  },
  {
    kind: 'Commercial',
    town: 'Port Alder',
    street: 'Front Street',
    address: '301 Front Street',
    title: 'Corner shop with two awnings',
    description:
      'The corner of Front and Canal, with striped awnings, pressed tin inside and five tall windows upstairs. The bakery on the ground floor is retiring after thirty-one years and leaves its counters. Two baths, a dry basement, a freight door to the alley and offices above that have never been empty for long.',
    price: 985_000,
    bedrooms: 0,
    bathrooms: 2,
    squareFeet: 4120,
    lotSquareFeet: 4_600,
    yearBuilt: 1904,
    createdDaysAgo: 4.9,
    picture: 12,
    featuredSlot: 4,
  },
  {
    kind: 'Single Family',
    town: 'Stillwater',
    street: 'Juniper Bend',
    address: '9 Juniper Bend',
    title: 'A-frame in the birches',
    description:
      'A true A-frame with glass to the peak, a wood stove in the middle and a loft that everybody fights over. Built in 1967 as a weekend place and insulated since for every month of the year. The lake is seven minutes down the path; in October the birches do the rest.',
    price: 458_000,
    bedrooms: 2,
    bathrooms: 1,
    squareFeet: 1180,
    lotSquareFeet: 18_700,
    yearBuilt: 1967,
    createdDaysAgo: 5.4,
    picture: 4,
  },
  {
    kind: 'Multi-Family',
    town: 'Port Alder',
    street: 'Canal Street',
    address: '410 Canal Street',
    title: 'Eight apartments around a court',
    description:
      'Two wings around a planted court, with eight one-bedroom apartments that all look onto green. Each has a balcony, its own meter and a storage cage. The glazed stair was replaced in 2021, the boiler the year before. Rent roll, leases and three years of expenses are ready to send.',
    price: 1_420_000,
    bedrooms: 8,
    bathrooms: 8,
    squareFeet: 6120,
    lotSquareFeet: 9_750,
    yearBuilt: 1962,
    createdDaysAgo: 5.8,
    picture: 2,
  },
];
