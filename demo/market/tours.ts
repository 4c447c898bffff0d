import type { Insertable } from 'kysely';
import { dayIn, instantOf, laterDay, weekdayOf } from '#features/tours/wall-clock.ts';
import { zoneOf } from '#features/tours/zone.ts';
import type { DB } from '#platform/db/schema.gen.ts';
import { DAY, HOUR } from '#platform/durations.ts';
import type { Calendar } from './calendar.ts';
import { idGenerator } from './ids.ts';
import type { Listing } from './listings/listings.ts';
import type { Person, Seller } from './people.ts';

/** When the demo sellers show their properties, and who comes. */
export interface Tours {
  hours: Insertable<DB['tour_hours']>[];
  days: Insertable<DB['tour_days']>[];
  tours: Insertable<DB['tours']>[];
}

type Status = NonNullable<Insertable<DB['tours']>['status']>;

interface Week {
  /** 0 is Sunday */
  weekdays: readonly number[];
  /** minutes after midnight by the clock of the place; so are the times of tours */
  starts: number;
  ends: number;
}

interface TourSpec {
  /** index in the list of buyers: 0 and 1 can be signed in as */
  buyer: number;
  /** days from today, before it where negative; it takes place on the seller's next day from there, or the one before */
  inDays: number;
  at: number;
  status: Status;
  note?: string;
  answer?: string;
  endedBy?: 'buyer' | 'seller';
}

const at = (hour: number, minute: 0 | 30 = 0) => hour * 60 + minute;

/**
 * Those of the first and the second demo seller, each tour with another property. Open ones are at least three days ahead, so that
 * no reminder is due on the day on which the market is made.
 */
const PLANS: readonly {
  email: string;
  week: Week;
  /** a day that differs from the week */
  other: { inDays: number; starts: number | null; ends: number | null };
  tours: readonly TourSpec[];
}[] = [
  {
    email: 'seller@acre.test',
    week: { weekdays: [1, 2, 3, 4, 5, 6], starts: at(10), ends: at(17) },
    other: { inDays: 9, starts: null, ends: null },
    tours: [
      {
        buyer: 0,
        inDays: 3,
        at: at(15),
        status: 'requested',
        note: 'We would like to see the rooms in the afternoon light.',
      },
      { buyer: 1, inDays: 4, at: at(11), status: 'confirmed', note: 'There will be two of us.' },
      {
        buyer: 2,
        inDays: 5,
        at: at(10, 30),
        status: 'proposed',
        answer: 'The roofer comes in the morning. Would this time suit you?',
      },
      { buyer: 0, inDays: -6, at: at(14), status: 'done' },
      {
        buyer: 3,
        inDays: -4,
        at: at(16),
        status: 'declined',
        endedBy: 'seller',
        answer: 'The floors are being sanded that week.',
      },
      { buyer: 1, inDays: -12, at: at(12), status: 'done' },
    ],
  },
  {
    email: 'seller2@acre.test',
    week: { weekdays: [0, 3, 4, 5, 6], starts: at(9), ends: at(16) },
    other: { inDays: 10, starts: at(12), ends: at(19) },
    tours: [
      { buyer: 0, inDays: 4, at: at(9, 30), status: 'confirmed' },
      {
        buyer: 1,
        inDays: 6,
        at: at(13),
        status: 'requested',
        note: 'Is there a place to park on the street?',
      },
      { buyer: 4, inDays: 7, at: at(11, 30), status: 'requested' },
      { buyer: 0, inDays: -9, at: at(10), status: 'done' },
      {
        buyer: 5,
        inDays: -4,
        at: at(15),
        status: 'cancelled',
        endedBy: 'buyer',
        answer: 'We have found another property.',
      },
      { buyer: 1, inDays: -15, at: at(14, 30), status: 'lapsed' },
    ],
  },
];

/** How many changes lead to a status. */
const CHANGES: Record<Status, number> = {
  requested: 0,
  proposed: 1,
  confirmed: 1,
  declined: 1,
  cancelled: 1,
  lapsed: 1,
  done: 2,
};

/** Tour hours of the demo sellers, and tours in every state. */
export function tours(
  listings: readonly Listing[],
  buyers: readonly Person[],
  sellers: readonly Seller[],
  calendar: Calendar,
): Tours {
  const rows: Tours = { hours: [], days: [], tours: [] };
  const today = dayIn(calendar.midnight, 'UTC');
  const id = idGenerator('tours');
  for (const { email, week, other, tours: planned } of PLANS) {
    const seller = sellers.find((one) => one.email === email);
    if (!seller) continue;
    const { weekdays, starts, ends } = week;
    rows.hours.push(...weekdays.map((weekday) => ({ agent_id: seller.id, weekday, starts, ends })));
    const { inDays, ...hours } = other;
    rows.days.push({ agent_id: seller.id, day: laterDay(today, inDays), ...hours });
    // The last ones, which have been on the market for longer than any of these tours was planned.
    const shown = listings
      .filter(({ seller: { id }, timeline }) => id === seller.id && timeline.status === 'Active')
      .filter(({ timeline }) => (timeline.listed ?? 0) > 25)
      .slice(-planned.length);
    planned.forEach((spec, index) => {
      const [listing, buyer] = [shown[index], buyers[spec.buyer]];
      if (!listing || !buyer) return;
      rows.tours.push(tourRow(id(), spec, { listing, buyer, week, today }));
    });
  }
  return rows;
}

interface Parties {
  listing: Listing;
  buyer: Person;
  week: Week;
  today: string;
}

function tourRow(
  id: string,
  { inDays, at, status, note = '', answer = '', endedBy }: TourSpec,
  { listing, buyer, week, today }: Parties,
): Insertable<DB['tours']> {
  const { state = '', latitude = null, longitude = null } = listing.row;
  const zone = zoneOf({ state, latitude, longitude });
  const startsAt = instantOf(shownDay(laterDay(today, inDays), week, Math.sign(inDays)), at, zone);
  if (!startsAt) throw new RangeError('No clock is changed at this time');
  const before = (ms: number) => new Date(startsAt.getTime() - ms);
  const asked = inDays > 0 ? new Date(Date.parse(today) - (inDays % 3) * DAY - 5 * HOUR) : before(5 * DAY);
  const wasConfirmed = status === 'confirmed' || status === 'done';
  return {
    id,
    property_id: listing.id,
    agent_id: listing.seller.id,
    buyer_id: buyer.id,
    starts_at: startsAt,
    time_zone: zone,
    status,
    ended_by: endedBy ?? null,
    note,
    answer,
    sequence: CHANGES[status],
    in_calendars: wasConfirmed,
    day_reminder_at: status === 'done' ? before(DAY) : null,
    hours_reminder_at: status === 'done' ? before(2 * HOUR) : null,
    key: `demo ${id}`,
    created_at: asked,
    changed_at: changedAt(status, asked, startsAt),
  };
}

/** The first day from this one on, in a direction, on which the seller shows properties. */
function shownDay(day: string, { weekdays }: Week, direction: number): string {
  let found = day;
  while (!weekdays.includes(weekdayOf(found))) found = laterDay(found, direction);
  return found;
}

function changedAt(status: Status, asked: Date, startsAt: Date): Date {
  if (status === 'requested') return asked;
  if (status === 'done') return new Date(startsAt.getTime() + HOUR / 2);
  return status === 'lapsed' ? startsAt : new Date(asked.getTime() + 3 * HOUR);
}
