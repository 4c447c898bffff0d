import { calendarText, foldLine } from '#features/feeds/display.ts';
import { MINUTE } from '#platform/durations.ts';
import { TOUR_MINUTES } from './model.ts';

/** `REQUEST` enters or moves an event, `CANCEL` takes it out (RFC 5546). */
export type CalendarMethod = 'REQUEST' | 'CANCEL';

interface CalendarTour {
  id: string;
  sequence: number;
  startsAt: Date;
  changedAt: Date;
  /** in one line, with town and ZIP code */
  address: string;
  url: string;
}
/** Whose calendar it is for; it names no one else's address. */
interface Attendee {
  name: string;
  email: string;
}

const stamp = (at: Date) => at.toISOString().replace(/[-:]|\.\d{3}/g, '');
/** A parameter's value (RFC 5545): quoted, and without what could end it. */
const quoted = (text: string) => `"${text.replace(/["\p{Cc}]+/gu, ' ').trim()}"`;

/**
 * A tour as a calendar file. Its event has the same identity in every file, so that a later one, with a higher sequence, moves or
 * removes it.
 */
export function tourCalendar(
  tour: CalendarTour,
  {
    method,
    host,
    organizer,
    attendee,
  }: { method: CalendarMethod; host: string; organizer: Attendee; attendee: Attendee },
): string {
  const ends = new Date(tour.startsAt.getTime() + TOUR_MINUTES * MINUTE);
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    // The software that wrote the file (RFC 5545), whatever the marketplace is called.
    'PRODID:-//Acre Trading Post//Tours//EN',
    'CALSCALE:GREGORIAN',
    `METHOD:${method}`,
    'BEGIN:VEVENT',
    `UID:tour-${tour.id}@${host}`,
    `SEQUENCE:${tour.sequence}`,
    `DTSTAMP:${stamp(tour.changedAt)}`,
    `DTSTART:${stamp(tour.startsAt)}`,
    `DTEND:${stamp(ends)}`,
    `SUMMARY:${calendarText(`Tour: ${tour.address}`)}`,
    `LOCATION:${calendarText(tour.address)}`,
    `URL:${tour.url}`,
    `ORGANIZER;CN=${quoted(organizer.name)}:mailto:${organizer.email}`,
    `ATTENDEE;CN=${quoted(attendee.name)};PARTSTAT=ACCEPTED;RSVP=FALSE:mailto:${attendee.email}`,
    `STATUS:${method === 'CANCEL' ? 'CANCELLED' : 'CONFIRMED'}`,
    'TRANSP:OPAQUE',
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${foldLine(line)}\r\n`).join('');
}
