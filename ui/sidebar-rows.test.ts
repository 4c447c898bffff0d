import { expect, test } from 'vitest';
import { currentHref } from './sidebar-rows.ts';

const rows = [{ href: '/agent/properties' }, { href: '/agent/properties/add' }, { href: '/agent/dashboard' }];

test.each([
  ['/agent/dashboard', '/agent/dashboard'],
  ['/agent/properties', '/agent/properties'],
  ['/agent/properties/add', '/agent/properties/add'],
  ['/agent/properties/42/edit', '/agent/properties'],
  ['/agent/propertiesque', undefined],
  ['/account', undefined],
])('%s belongs to %s', (path, href) => {
  expect(currentHref(path, rows)).toBe(href);
});
