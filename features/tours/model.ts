import { DAY, HOUR } from '#platform/durations.ts';

/** How long a tour takes; each begins at a full or half hour, so that only two of the same start overlap. */
export const TOUR_MINUTES = 30;
/** Longest note of a request, and longest reason of an answer, in characters. */
export const NOTE_LIMIT = 500;
/** A tour is asked for at least this long before it, in milliseconds. */
export const LEAD_MS = 2 * HOUR;
/** For how many days, today included, buyers are shown free times. */
export const DAYS_AHEAD = 14;
/** How far ahead a seller may propose a time, in milliseconds. */
export const PROPOSED_AHEAD_MS = 60 * DAY;
/** The most open tours of one buyer. */
export const OPEN_LIMIT = 10;
/** The most days with other hours that a seller can have entered. */
export const DAYS_LIMIT = 100;

/** The side on which someone takes part in a tour. */
export type TourSide = 'buyer' | 'seller';

/**
 * `requested` waits for the seller, `proposed` for the buyer; both hold their time. `lapsed` was not answered before its time came,
 * `done` is confirmed and over.
 */
export type TourStatus =
  | 'requested'
  | 'proposed'
  | 'confirmed'
  | 'declined'
  | 'cancelled'
  | 'lapsed'
  | 'done';

/** Those that hold their time. */
export const openStatuses = ['requested', 'proposed', 'confirmed'] as const;

/** What a party can do with a tour. */
const tourActions = ['confirm', 'propose', 'decline', 'cancel'] as const;
export type TourAction = (typeof tourActions)[number];

/** Why a time could not be asked for. */
export type RequestRefusal =
  | 'own'
  | 'not_buyer'
  | 'suspended'
  | 'account_suspended'
  | 'unavailable'
  | 'blocked'
  | 'no_time'
  | 'not_free'
  | 'busy'
  | 'open'
  | 'too_many'
  | 'too_long';

/** Why a tour could not be changed. `changed`: the other party was faster. */
export type ChangeRefusal =
  | 'changed'
  | 'impossible'
  | 'read_only'
  | 'account_suspended'
  | 'unavailable'
  | 'no_time'
  | 'past'
  | 'not_free'
  | 'busy'
  | 'too_long';

export type RequestResult = { ok: true; tourId: string } | { ok: false; reason: RequestRefusal };
export type ChangeResult = { ok: true } | { ok: false; reason: ChangeRefusal };

/** A span of a day in minutes after midnight, by the clock of the property's place. */
export interface Hours {
  starts: number;
  ends: number;
}
/** Hours of a weekday, 0 for Sunday. */
export interface WeekdayHours extends Hours {
  weekday: number;
}
/** A day that differs from the week: 'YYYY-MM-DD', with its own hours or none. */
export interface DayHours {
  day: string;
  hours: Hours | null;
}

/** When a seller is free. */
export interface TourHours {
  week: WeekdayHours[];
  /** from yesterday on, in order */
  days: DayHours[];
}

export type HoursErrors = Partial<Record<`day${number}`, string>>;
export type SaveHoursResult = { ok: true } | { ok: false; errors: HoursErrors };
export type DayErrors = { day?: string; hours?: string };
export type SaveDayResult = { ok: true } | { ok: false; errors: DayErrors };

/** A time that can be asked for: an instant in ISO 8601 UTC, and as it is read there ('3:00 PM'). */
interface FreeTime {
  at: string;
  label: string;
}
/** The free times of one day ('Wed, Nov 25'). */
export interface FreeDay {
  day: string;
  label: string;
  times: FreeTime[];
}

/** What the page of a request shows. */
export interface TourOffer {
  listing: { id: string; address: string; town: string };
  /** 'Pacific Time' */
  zoneName: string;
  days: FreeDay[];
  /** why this viewer cannot ask; null if they can */
  refusal: RequestRefusal | null;
  /** the viewer's open tour of this property */
  open: { status: TourStatus; when: string } | null;
  signedIn: boolean;
}

/** A tour as one of its parties sees it. */
export interface TourView {
  id: string;
  side: TourSide;
  status: TourStatus;
  endedBy: TourSide | 'system' | null;
  /** ISO 8601, UTC */
  startsAt: string;
  /** 'Wed, Nov 25, 3:00 PM PST' */
  when: string;
  property: { id: string; address: string; town: string; canOpen: boolean };
  other: string;
  note: string;
  answer: string;
  /** of the state that is shown; an action on another one is refused */
  sequence: number;
  actions: TourAction[];
  /** a calendar file can be downloaded */
  hasFile: boolean;
  /** the days and times that the seller can propose are by the clock of this zone */
  zoneName: string;
}

/** A party's tours: those that are open, the next first, and the last of the others. */
export interface OwnTours {
  side: TourSide;
  open: TourView[];
  past: TourView[];
  /** there are older ones than these */
  more: boolean;
}
