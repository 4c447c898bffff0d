import { zipCenter } from '#gateways/geocoder/zip-code-geocoder.ts';

type Box = readonly [south: number, north: number, west: number, east: number];

// The outermost points of each state in degrees, widened to tenths. The westernmost Aleutian Islands lie beyond 180 degrees, so Alaska has
// a second box, which is no larger than they need: elsewhere in Alaska such a longitude has a wrong sign.
const BOXES = `AL 30.1 35.1 -88.6 -84.8|AK 51 71.6 -180 -129.9|AK 51 53.1 172.3 180|AZ 31.2 37.1 -115 -108.9|AR 32.9 36.6 -94.8 -89.5|CA 32.4 42.1 -124.6 -114
CO 36.9 41.1 -109.2 -101.9|CT 40.9 42.2 -73.8 -71.7|DE 38.3 39.9 -75.9 -74.9|DC 38.7 39.1 -77.2 -76.8|FL 24.3 31.1 -87.8 -79.8
GA 30.2 35.1 -85.7 -80.7|HI 18.8 28.6 -178.5 -154.7|ID 41.9 49.1 -117.4 -110.9|IL 36.9 42.6 -91.6 -87.3|IN 37.7 41.9 -88.2 -84.7
IA 40.3 43.6 -96.7 -90|KS 36.9 40.1 -102.2 -94.5|KY 36.4 39.2 -89.7 -81.9|LA 28.8 33.1 -94.2 -88.7|ME 42.9 47.6 -71.2 -66.8
MD 37.8 39.8 -79.6 -74.9|MA 41.1 42.9 -73.6 -69.8|MI 41.6 48.4 -90.5 -82.1|MN 43.4 49.5 -97.4 -89.4|MS 30 35.1 -91.8 -88
MO 35.9 40.7 -95.9 -89|MT 44.3 49.1 -116.2 -103.9|NE 39.9 43.1 -104.2 -95.2|NV 34.9 42.1 -120.1 -113.9|NH 42.6 45.4 -72.7 -70.5
NJ 38.8 41.4 -75.7 -73.8|NM 31.2 37.1 -109.2 -102.9|NY 40.4 45.1 -79.9 -71.7|NC 33.7 36.7 -84.4 -75.3|ND 45.8 49.1 -104.2 -96.4
OH 38.3 42.4 -84.9 -80.4|OK 33.5 37.1 -103.1 -94.3|OR 41.9 46.4 -124.8 -116.3|PA 39.6 42.6 -80.6 -74.6|PR 17.8 18.6 -68 -65.1
RI 41 42.1 -72 -71|SC 31.9 35.3 -83.5 -78.4|SD 42.4 46 -104.2 -96.3|TN 34.9 36.8 -90.4 -81.5|TX 25.7 36.6 -106.8 -93.4
UT 36.9 42.1 -114.2 -108.9|VT 42.6 45.1 -73.5 -71.4|VA 36.4 39.5 -83.8 -75.1|WA 45.4 49.1 -124.9 -116.8|WV 37.1 40.7 -82.8 -77.6
WI 42.3 47.4 -93 -86.2|WY 40.9 45.1 -111.2 -103.9`;

const boxes = new Map<string, readonly Box[]>();
for (const line of BOXES.split(/[|\n]/)) {
  const [state = '', ...sides] = line.split(' ');
  boxes.set(state, [...(boxes.get(state) ?? []), sides.map(Number) as unknown as Box]);
}
/** Degrees around the center of a ZIP code; the largest ones reach so far. */
const AROUND_ZIP = 1.5;

export interface Point {
  latitude: number;
  longitude: number;
}

/** Whether a point lies in one of the boxes, widened by a margin in degrees. */
const isWithin = ({ latitude, longitude }: Point, around: readonly Box[], margin = 0): boolean =>
  around.some(
    ([south, north, west, east]) =>
      latitude >= south - margin &&
      latitude <= north + margin &&
      longitude >= west - margin &&
      longitude <= east + margin,
  );

type CheckedPoint =
  | { ok: true; point: Point; correction: string | null }
  /** the point is in another place however it is read */
  | { ok: false };

/**
 * Checks coordinates against the state, or the ZIP code where the state is not known: swapped ones and wrong signs are corrected. Where
 * neither is known, coordinates that are possible stay as they are.
 * @param first the degrees given as latitude
 * @param second the degrees given as longitude
 */
export function checkPoint(
  first: number,
  second: number,
  state: string | null,
  zip: string | null,
): CheckedPoint {
  const around = boxesOf(state, zip);
  if (!around) {
    const isPossible = Math.abs(first) <= 90 && Math.abs(second) <= 180;
    return isPossible
      ? { ok: true, point: { latitude: first, longitude: second }, correction: null }
      : { ok: false };
  }
  const readings: [latitude: number, longitude: number, correction: string | null][] = [
    [first, second, null],
    [Math.abs(first), -Math.abs(second), 'a wrong sign was corrected'],
    [second, first, 'latitude and longitude were swapped'],
    [Math.abs(second), -Math.abs(first), 'latitude and longitude were swapped and a sign was wrong'],
  ];
  for (const [latitude, longitude, correction] of readings) {
    const point = { latitude, longitude };
    if (isWithin(point, around)) return { ok: true, point, correction };
  }
  return { ok: false };
}

function boxesOf(state: string | null, zip: string | null): readonly Box[] | null {
  const known = state ? boxes.get(state) : undefined;
  if (known) return known;
  // A province of another country: nothing to check against.
  if (state) return null;
  const center = zip ? zipCenter(zip) : null;
  return (
    center && [
      [
        center.latitude - AROUND_ZIP,
        center.latitude + AROUND_ZIP,
        center.longitude - AROUND_ZIP,
        center.longitude + AROUND_ZIP,
      ],
    ]
  );
}

type CheckedZip =
  | { ok: true; zip: string; padded: boolean }
  | { ok: false; reason: 'is not a ZIP code' | 'is not a ZIP code of the state' };

/**
 * Reads a ZIP code: '3784' and '3784.0', as spreadsheets leave it, is '03784', '021341234' is '02134-1234'. It must exist, and lie in the
 * state where one of the United States is given; codes of other countries stay as they are.
 */
export function checkZip(cell: string, state: string | null): CheckedZip {
  const text = cell.replace(/\.0+$/, '').replace(/\s+/g, ' ').trim();
  const isElsewhere = state !== null && !boxes.has(state);
  const form = /^(\d{3,5})(?:[- ]?(\d{4}))?$/.exec(text);
  const long = /^(\d{4,5})(\d{4})$/.exec(text);
  const [, given = '', more = ''] = (text.length > 5 && long) || form || [];
  if (given === '')
    return isElsewhere && text.length <= 20
      ? { ok: true, zip: text, padded: false }
      : { ok: false, reason: 'is not a ZIP code' };
  const five = given.padStart(5, '0');
  const center = zipCenter(five);
  if (!center)
    return isElsewhere ? { ok: true, zip: text, padded: false } : { ok: false, reason: 'is not a ZIP code' };
  const around = state ? boxes.get(state) : undefined;
  // The center of a region of ZIP codes can lie beyond a border.
  const margin = center.precision === 'zip' ? 0.3 : 1.5;
  if (around && !isWithin(center, around, margin))
    return { ok: false, reason: 'is not a ZIP code of the state' };
  return { ok: true, zip: more ? `${five}-${more}` : five, padded: given.length < 5 };
}

/** The center of a ZIP code; null when only its region is known. */
export function centerOfZip(zip: string): Point | null {
  const center = zipCenter(zip.slice(0, 5));
  return center?.precision === 'zip' ? { latitude: center.latitude, longitude: center.longitude } : null;
}
