import { describe, expect, it } from 'vitest';
import { calendarFile, calendarText, foldLine } from './display.ts';

const date = {
  saleId: 's1',
  kind: 'confirmation',
  party: 'buyer',
  address: '1 Fern; Court, \\ Bend\r\nBEGIN:VEVENT',
  dueAt: new Date('2026-12-01T17:30:00Z'),
  changedAt: new Date('2026-11-23T10:00:00.500Z'),
} as const;

describe('the calendar of closing dates', () => {
  it('has an event for each date, in UTC, that a later file replaces', () => {
    const file = calendarFile([date], { host: 'acre.test', urlOf: () => 'https://acre.test/buyer/sales/s1' });
    expect(file).toContain(
      'UID:s1-confirmation@acre.test\r\nDTSTAMP:20261123T100000Z\r\nDTSTART:20261201T173000Z\r\n',
    );
    expect(file.match(/^BEGIN:VEVENT/gm)).toHaveLength(1);
    expect(file.endsWith('END:VCALENDAR\r\n')).toBe(true);
  });

  it('takes nothing of an address for its own lines', () => {
    expect(calendarText(date.address)).toBe('1 Fern\\; Court\\, \\\\ Bend BEGIN:VEVENT');
  });

  it('folds long lines between characters', () => {
    const line = `SUMMARY:${'é🏠'.repeat(60)}`;
    const folded = foldLine(line);
    for (const piece of folded.split('\r\n')) expect(Buffer.byteLength(piece)).toBeLessThanOrEqual(75);
    expect(folded.replaceAll('\r\n ', '')).toBe(line);
  });
});
