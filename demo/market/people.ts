import type { Insertable } from 'kysely';
import type { DB } from '#platform/db/schema.gen.ts';
import type { Calendar } from './calendar.ts';
import { idGenerator } from './ids.ts';

export type Role = 'buyer' | 'agent' | 'admin';

/** One person of the demo market who can sign in. */
export interface Person {
  id: string;
  name: string;
  email: string;
  role: Role;
  /** days before the calendar's midnight */
  joinedDaysAgo: number;
}

export interface Seller {
  id: string;
  /** null until registered */
  person: Person | null;
  name: string;
  email: string;
  /** towns where this seller lists */
  towns: readonly string[];
  row: Insertable<DB['agents']>;
}

/** The token in the registration link of `invited@acre.test`. Public, like the demo password. */
export const DEMO_INVITATION_TOKEN = 'demo-invitation-for-ines-calloway';

interface SellerSpec {
  name: string;
  email: string;
  phone?: string;
  joined: number;
  towns: readonly string[];
  /** the seller's share in percent, if it differs from the default */
  rate?: number;
  payout?: 'stripe' | 'paypal';
  /** has chosen a payout method that is not verified yet */
  unverified?: boolean;
  /** what Stripe still asks for */
  requirement?: string;
  suspended?: string;
}

const SELLERS: readonly SellerSpec[] = [
  {
    name: 'Maren Holloway',
    email: 'seller@acre.test',
    phone: '+15415550142',
    joined: 410,
    towns: ['Cedar Hollow', 'Port Alder', 'Maple Notch'],
    payout: 'stripe',
  },
  {
    name: 'Theo Lindqvist',
    email: 'seller2@acre.test',
    phone: '+14255550117',
    joined: 396,
    towns: ['Fernridge', 'Stillwater', 'Birch Landing'],
    rate: 82.5,
    payout: 'paypal',
  },
  {
    name: 'Ruth Okafor',
    email: 'ruth.okafor@example.test',
    phone: '+18435550163',
    joined: 350,
    towns: ['Saltmarsh Point', 'Hollins Ferry'],
    payout: 'stripe',
  },
  {
    name: 'Gabriel Montoya',
    email: 'gabriel.montoya@example.test',
    phone: '+15755550108',
    joined: 322,
    towns: ['Pinyon Wells', 'Agave Springs'],
    rate: 78,
    payout: 'stripe',
    unverified: true,
    requirement: 'Please upload a picture of an identity document.',
  },
  {
    name: 'Hedda Krause',
    email: 'hedda.krause@example.test',
    phone: '+18305550176',
    joined: 287,
    towns: ['Dry Creek', 'Prairie Bend'],
    payout: 'paypal',
  },
  {
    name: 'Silas Penrose',
    email: 'silas.penrose@example.test',
    joined: 214,
    towns: ['Harbor Light', 'Maple Notch'],
    payout: 'paypal',
    unverified: true,
  },
  {
    name: 'Yuki Tanabe',
    email: 'yuki.tanabe@example.test',
    phone: '+19705550121',
    joined: 160,
    towns: ['Elk Crossing', 'Stillwater'],
    rate: 85,
  },
  {
    name: 'Desmond Airey',
    email: 'desmond.airey@example.test',
    joined: 240,
    towns: ['Birch Landing'],
    payout: 'stripe',
    suspended: 'Three listings with the same photographs and different addresses.',
  },
];

const BUYERS: readonly (readonly [name: string, email: string, joined: number])[] = [
  ['Dana Whitlock', 'buyer@acre.test', 204],
  ['Jonas Abara', 'buyer2@acre.test', 171],
  ['Clementine Roy', 'clementine.roy@example.test', 330],
  ['Marcus Feld', 'marcus.feld@example.test', 301],
  ['Anneli Virtanen', 'anneli.virtanen@example.test', 268],
  ['Priscilla Odom', 'priscilla.odom@example.test', 233],
  ['Rafael Ibarra', 'rafael.ibarra@example.test', 190],
  ['Winnie Cho', 'winnie.cho@example.test', 142],
  ['Abel Thornton', 'abel.thornton@example.test', 118],
  ['Sunniva Dahl', 'sunniva.dahl@example.test', 96],
  ['Leopold Marsh', 'leopold.marsh@example.test', 83],
  ['Imani Barlow', 'imani.barlow@example.test', 71],
  ['Edith Carmody', 'edith.carmody@example.test', 58],
  ['Tomasz Wilk', 'tomasz.wilk@example.test', 44],
  ['Greta Nyland', 'greta.nyland@example.test', 37],
  ['Omar Haddad', 'omar.haddad@example.test', 29],
  ['Beatrix Lowe', 'beatrix.lowe@example.test', 22],
  ['Calvin Prewitt', 'calvin.prewitt@example.test', 15],
  ['Rosalind Achebe', 'rosalind.achebe@example.test', 9],
  ['Niels Brandt', 'niels.brandt@example.test', 3],
];

export interface People {
  admin: Person;
  secondAdmin: Person;
  buyers: readonly Person[];
  sellers: readonly Seller[];
  /** everyone who can sign in */
  accounts: readonly Person[];
  /** the open one, whose token is public */
  invitation: Insertable<DB['agent_invitations']>;
  /** those that came to nothing */
  otherInvitations: readonly Insertable<DB['agent_invitations']>[];
}

/** Everyone in the demo market. `tokenHash` is the hash of `DEMO_INVITATION_TOKEN` that is stored. */
export function people(calendar: Calendar, tokenHash: string): People {
  const ids = idGenerator('person');
  const person = (name: string, email: string, role: Role, joinedDaysAgo: number): Person => ({
    id: ids(),
    name,
    email,
    role,
    joinedDaysAgo,
  });
  const admin = person('Pauline Ashgrove', 'admin@acre.test', 'admin', 420);
  const buyers = BUYERS.map(([name, email, joined]) => person(name, email, 'buyer', joined));
  const sellerIds = idGenerator('seller');
  const sellers = SELLERS.map((spec) =>
    registeredSeller(spec, sellerIds(), person(spec.name, spec.email, 'agent', spec.joined), calendar),
  );
  const invited = invitedSeller(
    sellerIds(),
    { name: 'Ines Calloway', email: 'invited@acre.test' },
    calendar.ago(2),
  );
  // The mail came back; and somebody who left before they had registered.
  const bounced = invitedSeller(
    sellerIds(),
    { name: 'Alma Reyes', email: 'alma.reyes@example.test', commission_rate: 45 },
    calendar.ago(451),
  );
  const archived = invitedSeller(
    sellerIds(),
    { name: 'Victor Lane', email: 'victor.lane@example.test', archived_at: calendar.ago(440) },
    calendar.ago(460),
  );
  const invitationIds = idGenerator('invitation');
  const invitation = {
    id: invitationIds(),
    agent_id: invited.id,
    token_hash: tokenHash,
    status: 'sent' as const,
    expires_at: calendar.ahead(365),
    created_at: calendar.ago(2),
  };
  // After everybody else, so that their ids stay what they were.
  const secondAdmin = person('Desmond Achterberg', 'admin2@acre.test', 'admin', 200);
  const otherInvitations = [
    {
      id: invitationIds(),
      agent_id: bounced.id,
      token_hash: `nobody knows the token of ${bounced.id}`,
      status: 'bounced' as const,
      expires_at: calendar.ago(444),
      created_at: calendar.ago(451),
    },
  ];
  const accounts = [admin, ...buyers, ...sellers.flatMap((seller) => seller.person ?? []), secondAdmin];
  return {
    admin,
    secondAdmin,
    buyers,
    sellers: [...sellers, invited, bounced, archived],
    accounts,
    invitation,
    otherInvitations,
  };
}

function registeredSeller(spec: SellerSpec, id: string, person: Person, calendar: Calendar): Seller {
  const { name, email, payout } = spec;
  const verified = payout !== undefined && !spec.unverified;
  const row: Insertable<DB['agents']> = {
    id,
    user_id: person.id,
    name,
    email,
    phone: spec.phone ?? null,
    commission_rate: spec.rate ?? null,
    status: spec.suspended ? 'suspended' : 'active',
    status_reason: spec.suspended ?? null,
    registered_at: calendar.ago(spec.joined),
    payout_status: verified ? 'complete' : 'pending',
    preferred_payout_method: payout ?? null,
    stripe_account_id: payout === 'stripe' ? `acct_demo_${id.slice(0, 12).replace('-', '')}` : null,
    stripe_transfers_active: payout === 'stripe' && verified,
    stripe_requirement: spec.requirement ?? null,
    paypal_email: payout === 'paypal' ? email : null,
    paypal_confirmed_at: payout === 'paypal' && verified ? calendar.ago(spec.joined - 1) : null,
    payout_hold_until: null,
    archived_at: null,
    created_at: calendar.ago(spec.joined + 2),
    updated_at: calendar.ago(spec.joined),
  };
  return { id, person, name, email, towns: spec.towns, row };
}

/** A seller who has not registered. */
function invitedSeller(
  id: string,
  {
    name,
    email,
    ...facts
  }: Pick<Insertable<DB['agents']>, 'name' | 'email' | 'commission_rate' | 'archived_at'>,
  at: Date,
): Seller {
  const row: Insertable<DB['agents']> = {
    id,
    user_id: null,
    name,
    email,
    phone: null,
    commission_rate: null,
    status: 'active',
    status_reason: null,
    registered_at: null,
    payout_status: 'pending',
    preferred_payout_method: null,
    stripe_account_id: null,
    paypal_email: null,
    paypal_confirmed_at: null,
    payout_hold_until: null,
    archived_at: null,
    created_at: at,
    updated_at: at,
    ...facts,
  };
  return { id, person: null, name, email, towns: [], row };
}

/** The path where `invited@acre.test` registers as the seller it was invited to be. */
export function demoInvitationPath(): string {
  const ids = idGenerator('seller');
  for (const _registered of SELLERS) ids();
  return `/agent/register?id=${ids()}&token=${DEMO_INVITATION_TOKEN}`;
}
