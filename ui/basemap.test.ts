import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { STATE_CODES } from '../scripts/state-codes.ts';

const folder = new URL('basemap/', import.meta.url);

it('has a file of counties and towns for each state, none larger than 40 kB', () => {
  const names = readdirSync(folder).sort();
  expect(names).toEqual([...Object.keys(STATE_CODES).map((fips) => `${fips}.json`), 'country.json'].sort());
  for (const name of names) {
    const text = readFileSync(new URL(name, folder), 'utf8');
    expect(text.length, name).toBeLessThan(40_000);
    expect((JSON.parse(text) as { towns: unknown[] }).towns.length, name).toBeGreaterThan(0);
  }
});
