import { expect, test } from 'vitest';
import { currentHref } from './sidebar-rows.ts';

const rows = [
  { href: '/agent/properties', also: ['/agent/import'] },
  { href: '/agent/properties/add' },
  { href: '/agent/dashboard' },
];

test.each([
  ['/agent/dashboard', '/agent/dashboard'],
  ['/agent/properties', '/agent/properties'],
  ['/agent/properties/add', '/agent/properties/add'],
  ['/agent/properties/42/edit', '/agent/properties'],
  ['/agent/propertiesque', undefined],
  ['/agent/import', '/agent/properties'],
  ['/agent/import/42', '/agent/properties'],
  ['/account', undefined],
])('%s belongs to %s', (path, href) => {
  expect(currentHref(path, rows)).toBe(href);
});
