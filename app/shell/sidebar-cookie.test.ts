import { expect, test } from 'vitest';
import { sidebarCollapsed, sidebarCookie } from './sidebar-cookie.ts';

test.each([
  ['acre-sidebar=collapsed', true],
  ['session=abc; acre-sidebar=collapsed; x=1', true],
  ['acre-sidebar=open', false],
  ['not-acre-sidebar=collapsed', false],
  ['', false],
  [null, false],
])('%j means collapsed: %j', (header, collapsed) => {
  expect(sidebarCollapsed(header)).toBe(collapsed);
});

test('the cookie lives seven days and stays on the site', () => {
  expect(sidebarCookie(true)).toBe('acre-sidebar=collapsed; Path=/admin; Max-Age=604800; SameSite=Lax');
  expect(sidebarCollapsed(sidebarCookie(true).split(';')[0])).toBe(true);
  expect(sidebarCollapsed(sidebarCookie(false).split(';')[0])).toBe(false);
});
