import type { ClosingDate } from './model.ts';

const words = {
  documents: { seller: 'Deliver the closing documents', buyer: 'Closing documents due' },
  confirmation: { seller: 'Closing confirmation due', buyer: 'Confirm the closing' },
} as const;

/** What a date is about: 'Confirm the closing: 48 Larkspur Lane'. */
const dateTitle = ({ kind, party, address }: ClosingDate): string => `${words[kind][party]}: ${address}`;

/** A text in a calendar file (RFC 5545): nothing of it can end its line or start another property. */
export const calendarText = (text: string): string =>
  text
    .replace(/\p{Cc}+/gu, ' ')
    .replace(/\\/g, '\\\\')
    .replace(/([;,])/g, '\\$1');

/** Lines of at most 75 bytes, continued by a space (RFC 5545); no character is divided. */
export function foldLine(line: string): string {
  const pieces: string[] = [];
  let piece = '';
  let bytes = 0;
  for (const char of line) {
    const size = new TextEncoder().encode(char).length;
    if (bytes + size > 74) {
      pieces.push(piece);
      piece = '';
      bytes = 0;
    }
    piece += char;
    bytes += size;
  }
  return [...pieces, piece].join('\r\n ');
}

const stamp = (at: Date) => at.toISOString().replace(/[-:]|\.\d{3}/g, '');

/** The dates as a calendar file; each event keeps its identity, so that a later file moves it. */
export function calendarFile(
  dates: readonly ClosingDate[],
  { host, urlOf }: { host: string; urlOf: (date: ClosingDate) => string },
): string {
  const events = dates.flatMap((date) => [
    'BEGIN:VEVENT',
    `UID:${date.saleId}-${date.kind}@${host}`,
    `DTSTAMP:${stamp(date.changedAt)}`,
    `DTSTART:${stamp(date.dueAt)}`,
    `SUMMARY:${calendarText(dateTitle(date))}`,
    `URL:${urlOf(date)}`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ]);
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    // The software that wrote the file (RFC 5545), whatever the marketplace is called.
    'PRODID:-//Acre Trading Post//Closing dates//EN',
    'CALSCALE:GREGORIAN',
    ...events,
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${foldLine(line)}\r\n`).join('');
}
