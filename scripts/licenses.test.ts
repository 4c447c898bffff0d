import { expect, it } from 'vitest';
import { isAllowed, licenseFindings } from './licenses.ts';

it.each([
  ['MIT', true],
  ['GPL-3.0-only', false],
  ['MIT OR GPL-3.0-only', true],
  ['(MIT OR CC0-1.0)', true],
  ['Apache-2.0 AND LGPL-3.0-or-later', true],
  ['Apache-2.0 AND GPL-2.0-only', false],
  ['SEE LICENSE IN LICENSE.md', false],
  ['toString', false],
])('%s is allowed: %s', (expression, allowed) => {
  expect(isAllowed(expression)).toBe(allowed);
});

it('finds packages without an allowed license, but for those of other systems', () => {
  const packages = {
    '': { version: '1' },
    'node_modules/good': { license: 'ISC' },
    'node_modules/copyleft': { license: 'AGPL-3.0-only' },
    'node_modules/silent': {},
    'node_modules/other-system': { optional: true },
    'node_modules/told-when-installed': { optional: true },
  };
  const installed = (place: string) => (place.endsWith('installed') ? 'GPL-2.0-only' : null);
  expect(licenseFindings(packages, installed)).toEqual([
    'node_modules/copyleft has the license AGPL-3.0-only, which scripts/licenses.ts does not allow',
    'node_modules/silent names no license',
    'node_modules/told-when-installed has the license GPL-2.0-only, which scripts/licenses.ts does not allow',
  ]);
});
