import { expect, it } from 'vitest';
import { type Precision, precisionText, radiusMeters, surroundings } from './rules.ts';

it('says that a place is approximate exactly where it is drawn as a circle', () => {
  const all: Precision[] = ['pin', 'rooftop', 'street', 'zip', 'zip3', 'city', null];
  for (const precision of all)
    expect(precisionText(precision).includes('approximate'), String(precision)).toBe(
      radiusMeters(precision) !== null,
    );
});

it('surrounds a place within the bounds of the earth', () => {
  const near = surroundings({ latitude: 45, longitude: -121 });
  expect(near.north - near.south).toBeCloseTo(0.44);
  expect(near.east - near.west).toBeCloseTo(0.622, 2);
  expect(surroundings({ latitude: 89.9, longitude: 179.9 })).toMatchObject({ north: 90, east: 180 });
});
