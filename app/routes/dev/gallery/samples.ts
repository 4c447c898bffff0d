import type { Viewer } from '#app/shell/viewer.ts';
import { illustrationPath, type PropertyKind, type Variant } from '#illustrator/illustration-key.ts';
import type { ImageSet } from '#ui/picture.tsx';

/** Made-up facts for the gallery; nothing here is read from the database. */
export const gallery = {
  brand: 'Acre Trading Post',
  types: [
    { name: 'Vacant Lot', slug: 'vacant-lot' },
    { name: 'Single Family', slug: 'single-family' },
    { name: 'Multi-Family', slug: 'multi-family' },
    { name: 'Commercial', slug: 'commercial' },
  ],
  viewers: {
    buyer: { id: 'b', name: 'Dora Whitfield', email: 'dora@whitfield.example', role: 'buyer' },
    agent: { id: 's', name: 'Maren Holloway', email: 'maren@holloway.example', role: 'agent' },
    admin: { id: 'a', name: 'Ruth Adeyemi', email: 'ruth@acre.example', role: 'admin' },
  } satisfies Record<string, Viewer>,
};

export interface SampleCard {
  price: string;
  base: string;
  kind: PropertyKind;
  hash: number;
  address: string;
  town: string;
  facts: readonly string[];
  watched: boolean;
}

export const sampleCards: readonly SampleCard[] = [
  {
    price: '$703,275',
    base: '$689,000',
    kind: 'Single Family',
    hash: 6,
    address: '615 Mill Pond Road',
    town: 'Fernridge, WA 98045',
    facts: ['3 bd', '2 ba', '2,210 sqft'],
    watched: false,
  },
  {
    price: '$757,335',
    base: '$742,000',
    kind: 'Single Family',
    hash: 16,
    address: '48 Larkspur Lane',
    town: 'Cedar Hollow, OR 97031',
    facts: ['4 bd', '3 ba', '2,840 sqft'],
    watched: true,
  },
];

/** The URL of an illustration. */
export const illustrationUrl = (kind: PropertyKind, hash: number, variant: Variant = 'exterior'): string =>
  illustrationPath({ kind, hash }, variant);

/** Pictures of one property for the carousel. */
export function samplePictures(count: number): ImageSet[] {
  const variants: readonly Variant[] = ['exterior', 'living', 'kitchen', 'plan'];
  return Array.from({ length: count }, (_, index) => ({
    src: illustrationUrl(
      'Single Family',
      2 + Math.floor(index / variants.length),
      variants[index % variants.length],
    ),
    width: 1200,
    height: 800,
    placeholder: '#e4d3a8',
    alt: index === 0 ? '1170 Summit Terrace' : `1170 Summit Terrace, image ${index + 1} of ${count}`,
  }));
}

export interface SampleRow {
  id: string;
  address: string;
  town: string;
  kind: PropertyKind;
  hash: number;
  price: number;
  status: 'Active' | 'In Escrow' | 'Pending';
  days: number;
  views: number;
}

export const sampleRows: readonly SampleRow[] = [
  {
    id: '1',
    address: '615 Mill Pond Road',
    town: 'Fernridge, WA 98045',
    kind: 'Single Family',
    hash: 6,
    price: 689000,
    status: 'Active',
    days: 2,
    views: 97,
  },
  {
    id: '2',
    address: '48 Larkspur Lane',
    town: 'Cedar Hollow, OR 97031',
    kind: 'Single Family',
    hash: 16,
    price: 742000,
    status: 'Active',
    days: 6,
    views: 418,
  },
  {
    id: '3',
    address: '27 Heron Way',
    town: 'Cedar Hollow, OR 97031',
    kind: 'Single Family',
    hash: 5,
    price: 615000,
    status: 'Pending',
    days: 8,
    views: 186,
  },
  {
    id: '4',
    address: '22–30 Mercer Row',
    town: 'Port Alder, OR 97103',
    kind: 'Multi-Family',
    hash: 12,
    price: 1865000,
    status: 'Active',
    days: 19,
    views: 377,
  },
  {
    id: '5',
    address: '5 Quarry Hill',
    town: 'Stillwater, ID 83814',
    kind: 'Single Family',
    hash: 17,
    price: 534500,
    status: 'In Escrow',
    days: 52,
    views: 469,
  },
];
