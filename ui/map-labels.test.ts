import { expect, it } from 'vitest';
import { labelsThatFit } from './map-labels.ts';

const town = (label: string, population: number, x: number, y: number) => ({
  label,
  population,
  x,
  y,
  latitude: 0,
  longitude: 0,
});
const size = { width: 400, height: 300 };

it('shows the largest towns first and leaves out names that would cover others or leave the map', () => {
  const shown = labelsThatFit(
    [
      town('Small', 3_000, 205, 105),
      town('Large', 90_000, 200, 100),
      town('Apart', 5_000, 60, 200),
      town('Edge of the map', 80_000, 395, 100),
    ],
    size,
  );
  expect(shown.map(({ label }) => label)).toEqual(['Large', 'Apart']);
});

it('shows at most forty names', () => {
  const wide = { width: 10_000, height: 10_000 };
  const towns = Array.from({ length: 60 }, (_, at) => town('T', at, 100 + at * 100, 100 + at * 100));
  expect(labelsThatFit(towns, wide)).toHaveLength(40);
});
