import { expect, it } from 'vitest';
import { marksOfListing, marksOfPlaces } from './place-marks.ts';

const listing = [
  '=c:st paul mn|St. Paul, MN',
  '=c:saint paul mn|St. Paul, MN',
  '=d:highland park|st paul mn|Highland Park, St. Paul, MN',
  '=z:55105|55105',
  '=u:mn',
  'ash',
  '=t2',
];

it.each<[string, string[], boolean]>([
  ['saint paul', ['=c:saint paul mn|St. Paul, MN'], true],
  ['st paul mn', ['=c:st paul mn|ST PAUL, MN'], true],
  ['highland park', ['=d:highland park|dallas tx|Highland Park, Dallas, TX'], true],
  ['55105', ['=z:55105|55105-1234'], true],
  ['minnesota', ['=u:mn'], true],
  ['washington', ['=c:washington dc|Washington, DC', '=u:wa'], false],
  ['st paul tx', ['=c:st paul tx|St. Paul, TX'], false],
  ['wisconsin', ['=u:wi'], false],
])('%s', (name, places, fits) => {
  const { marks, key } = marksOfPlaces(name, places);
  const own = marksOfListing(listing);
  expect(marks.some((mark) => own.marks.includes(mark))).toBe(fits);
  if (fits) expect(own.keys).toContain(key);
});

it('a name of cities and a state has one key, which the listings of both have', () => {
  const { marks, key } = marksOfPlaces('washington', ['=c:washington dc|Washington, DC', '=u:wa']);
  expect(marks).toEqual(['=c~washington', '=u:wa']);
  expect(marksOfListing(['=c:washington dc|Washington, DC', '=u:dc']).keys).toContain(key);
  expect(marksOfListing(['=c:seattle wa|Seattle, WA', '=u:wa']).keys).toContain(key);
});
