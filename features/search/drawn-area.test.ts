import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  areaLiteral,
  areaOfLiteral,
  areaProblems,
  boundsOf,
  boundsOfArea,
  checkArea,
  type DrawnArea,
  formatArea,
  isInArea,
  MAX_CORNERS,
  parseDrawnArea,
  readArea,
} from './drawn-area.ts';

const square = '40_-75_41_-75_41_-74_40_-74';
const at = (latitude: number, longitude: number) => ({ latitude, longitude });

describe('a drawn area', () => {
  it('is read and formatted, rounded to about a meter', () => {
    expect(readArea(square)).toEqual({
      ok: true,
      area: [at(40, -75), at(41, -75), at(41, -74), at(40, -74)],
    });
    expect(formatArea(parseDrawnArea(square) ?? [])).toBe(square);
    expect(formatArea(parseDrawnArea('40.1234567_-75_41_-75_41_-74') ?? [])).toBe(
      '40.12346_-75_41_-75_41_-74',
    );
  });

  it('keeps a corner once that follows itself, also from the last to the first', () => {
    const reading = checkArea([at(40, -75), at(40, -75), at(41, -75), at(41, -74), at(40, -75)]);
    expect(reading.ok && reading.area).toHaveLength(3);
  });

  it.each([
    ['', 'unreadable'],
    ['40,-75,41,-74', 'unreadable'],
    ['40_-75_41', 'unreadable'],
    ['40_-75_41_x_3_4', 'unreadable'],
    ['NaN_1_2_3_4_5', 'unreadable'],
    ['1e3_1_2_3_4_5', 'unreadable'],
    ['40_-75_41_-75', 'few'],
    ['40_-75_40_-75_41_-75_40_-75', 'few'],
    ['40_-75_41_-76_42_-77', 'flat'],
    ['91_-75_41_-75_41_-74', 'outside'],
    ['40_-181_41_-75_41_-74', 'outside'],
    [Array.from({ length: MAX_CORNERS + 1 }, (_, one) => `${one}_${one % 2}`).join('_'), 'many'],
    ['1'.repeat(5_000), 'many'],
  ] as const)('%j is refused as %s', (value, problem) => {
    expect(readArea(value)).toEqual({ ok: false, problem: areaProblems[problem] });
    expect(parseDrawnArea(value)).toBeNull();
  });

  it('has its inside where the line goes around, also in the middle of a star', () => {
    const dented = parseDrawnArea('0_0_0_10_10_10_1_5_10_0') as DrawnArea;
    expect(isInArea(dented, at(0.5, 5))).toBe(true);
    expect(isInArea(dented, at(8, 5))).toBe(false);
    const star = parseDrawnArea(
      '9.51057_3.09017_-5.87785_-8.09017_-0_10_5.87785_-8.09017_-9.51057_3.09017',
    ) as DrawnArea;
    expect(isInArea(star, at(0, 0))).toBe(true);
    expect(isInArea(star, at(0, 11))).toBe(false);
  });

  it('goes to the database and back, and stays in its bounds', () => {
    const degrees = (limit: number) =>
      fc.integer({ min: -limit * 1e5, max: limit * 1e5 }).map((one) => one / 1e5);
    const corner = fc.record({ latitude: degrees(90), longitude: degrees(180) });
    fc.assert(
      fc.property(fc.array(corner, { minLength: 3, maxLength: 20 }), corner, (corners, place) => {
        const reading = checkArea(corners);
        if (!reading.ok) return;
        const { area } = reading;
        expect(areaOfLiteral(areaLiteral(area))).toEqual(area.map(positiveZero));
        expect(readArea(formatArea(area))).toEqual({ ok: true, area: area.map(positiveZero) });
        const { south, west, north, east } = boundsOfArea(area);
        if (isInArea(area, place)) {
          expect(place.latitude >= south && place.latitude <= north).toBe(true);
          expect(place.longitude >= west && place.longitude <= east).toBe(true);
        }
      }),
    );
    expect(areaOfLiteral('')).toBeNull();
  });

  it('shares its bounds with a part of the map', () => {
    const area = parseDrawnArea(square);
    expect(boundsOf({ area, bbox: null })).toEqual({ south: 40, west: -75, north: 41, east: -74 });
    expect(boundsOf({ area, bbox: { south: 40.5, west: -80, north: 50, east: -74.5 } })).toEqual({
      south: 40.5,
      west: -75,
      north: 41,
      east: -74.5,
    });
    expect(boundsOf({ area: null, bbox: null })).toBeNull();
  });
});

const positiveZero = ({ latitude, longitude }: { latitude: number; longitude: number }) =>
  at(latitude + 0, longitude + 0);
