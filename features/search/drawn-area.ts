/** Degrees; west ≤ east. */
export interface Rectangle {
  south: number;
  west: number;
  north: number;
  east: number;
}

/** Degrees. */
export interface Corner {
  latitude: number;
  longitude: number;
}

/** The corners of an area drawn on the map, in their order; the last one is joined to the first. */
export type DrawnArea = readonly Corner[];

export const MIN_CORNERS = 3;
export const MAX_CORNERS = 60;
/** Decimals of a corner in the URL: about a meter. */
const DECIMALS = 5;
/** Longer than any area with as many corners as are allowed. */
const MAX_LENGTH = MAX_CORNERS * 24;

type AreaReading = { ok: true; area: DrawnArea } | { ok: false; problem: string };

export const areaProblems = {
  unreadable: 'The drawn area cannot be read.',
  few: `A drawn area needs at least ${MIN_CORNERS} corners.`,
  many: `A drawn area can have at most ${MAX_CORNERS} corners.`,
  outside: 'The drawn area reaches beyond the map.',
  flat: 'The corners of the drawn area are on one line.',
} as const;

/** Reads the `area` parameter, 'latitude_longitude_latitude_longitude…' in degrees, or says what is wrong with it in words. */
export function readArea(value: string): AreaReading {
  const parts = value.trim().split('_');
  if (value.length > MAX_LENGTH) return { ok: false, problem: areaProblems.many };
  if (parts.length % 2 !== 0 || parts.some((part) => !/^-?\d{1,3}(\.\d{1,17})?$/.test(part)))
    return { ok: false, problem: areaProblems.unreadable };
  const numbers = parts.map(Number);
  return checkArea(
    Array.from({ length: numbers.length / 2 }, (_, at) => ({
      latitude: numbers[2 * at] ?? 0,
      longitude: numbers[2 * at + 1] ?? 0,
    })),
  );
}

/** The corners rounded to what the URL keeps, each once where it follows itself; or what is wrong with them in words. */
export function checkArea(corners: readonly Corner[]): AreaReading {
  const rounded = corners.map(({ latitude, longitude }) => ({
    latitude: Number(latitude.toFixed(DECIMALS)),
    longitude: Number(longitude.toFixed(DECIMALS)),
  }));
  const area = rounded.filter((corner, at) => !isSame(corner, rounded[at - 1] ?? rounded.at(-1) ?? corner));
  const problem = (text: string): AreaReading => ({ ok: false, problem: text });
  if (area.some(({ latitude, longitude }) => Math.abs(latitude) > 90 || Math.abs(longitude) > 180))
    return problem(areaProblems.outside);
  if (area.length < MIN_CORNERS) return problem(areaProblems.few);
  if (area.length > MAX_CORNERS) return problem(areaProblems.many);
  const [a, b] = area;
  if (!a || !b || area.every((corner) => sideOf(a, b, corner) === 0)) return problem(areaProblems.flat);
  return { ok: true, area };
}

/** The area of the `area` parameter; null without one, and when it is wrong. */
export function parseDrawnArea(value: string | null | undefined): DrawnArea | null {
  const reading = value ? readArea(value) : null;
  return reading?.ok ? reading.area : null;
}

/** Formats an area for the `area` parameter. */
export const formatArea = (area: DrawnArea): string =>
  area.flatMap(({ latitude, longitude }) => [latitude, longitude]).join('_');

/** The smallest rectangle around the area. */
export function boundsOfArea(area: DrawnArea): Rectangle {
  const latitudes = area.map(({ latitude }) => latitude);
  const longitudes = area.map(({ longitude }) => longitude);
  return {
    south: Math.min(...latitudes),
    west: Math.min(...longitudes),
    north: Math.max(...latitudes),
    east: Math.max(...longitudes),
  };
}

/** The rectangle in which everything is that the criteria allow; its sides are swapped when nothing is. */
export function boundsOf({
  bbox,
  area,
}: {
  bbox: Rectangle | null;
  area: DrawnArea | null;
}): Rectangle | null {
  if (!area) return bbox;
  const around = boundsOfArea(area);
  if (!bbox) return around;
  return {
    south: Math.max(bbox.south, around.south),
    west: Math.max(bbox.west, around.west),
    north: Math.min(bbox.north, around.north),
    east: Math.min(bbox.east, around.east),
  };
}

/**
 * Whether a place is inside of the area, as the database's `polygon @> point` has it: what a line that crosses itself goes
 * around belongs to it.
 */
export function isInArea(area: DrawnArea, place: Corner): boolean {
  let windings = 0;
  for (const [at, from] of area.entries()) {
    const to = area[(at + 1) % area.length] ?? from;
    const side = sideOf(from, to, place);
    if (from.latitude <= place.latitude) {
      if (to.latitude > place.latitude && side > 0) windings++;
    } else if (to.latitude <= place.latitude && side < 0) windings--;
  }
  return windings !== 0;
}

/** The area as a literal of the database type polygon, 'x,y' by 'x,y'. */
export const areaLiteral = (area: DrawnArea): string =>
  `(${area.map(({ latitude, longitude }) => `(${longitude},${latitude})`).join()})`;

/** The area of a literal that `areaLiteral` made; null for ''. */
export function areaOfLiteral(literal: string): DrawnArea | null {
  const corners = [...literal.matchAll(/\((-?[\d.]+),(-?[\d.]+)\)/g)];
  if (corners.length === 0) return null;
  return corners.map(([, longitude, latitude]) => ({
    latitude: Number(latitude),
    longitude: Number(longitude),
  }));
}

const isSame = (a: Corner, b: Corner): boolean =>
  a !== b && a.latitude === b.latitude && a.longitude === b.longitude;

/** Above 0 to the left of the line from `a` to `b`, below 0 to its right. */
const sideOf = (a: Corner, b: Corner, place: Corner): number =>
  (b.longitude - a.longitude) * (place.latitude - a.latitude) -
  (place.longitude - a.longitude) * (b.latitude - a.latitude);
