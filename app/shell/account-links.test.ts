import { expect, test } from 'vitest';
import { NOTHING_UNREAD } from '#features/bell/rules.ts';
import { accountHome, activityLinks, bellHref, loginLinks } from './account-links.ts';

test('the account menu links to the home page of each role', () => {
  expect(accountHome('buyer')).toEqual({ href: '/buyer/transactions', label: 'My Activity' });
  expect(accountHome('agent')).toEqual({ href: '/agent/dashboard', label: 'Seller Dashboard' });
  expect(accountHome('admin')).toEqual({ href: '/admin/dashboard', label: 'Admin Dashboard' });
});

test('the bell links to the messages that it counts', () => {
  const messages = { ...NOTHING_UNREAD, messages: 3 };
  expect(bellHref('buyer', NOTHING_UNREAD)).toBe('/buyer/transactions');
  expect(bellHref('buyer', messages)).toBe('/buyer/transactions?tab=inquiries');
  expect(bellHref('agent', NOTHING_UNREAD)).toBe('/agent/inquiries');
  expect(bellHref('agent', { ...messages, inquiries: 1 })).toBe('/agent/inquiries');
  expect(bellHref('agent', messages)).toBe('/agent/activity?tab=inquiries');
  expect(bellHref('admin', NOTHING_UNREAD)).toBe('/admin/activity');
});

test('every role finds what it watches and its saved searches under its own path', () => {
  const hrefs = (role: 'buyer' | 'agent' | 'admin') => activityLinks(role).map(({ href }) => href);
  expect(hrefs('buyer')).toEqual(['/buyer/transactions?tab=watched', '/buyer/saved-searches']);
  expect(hrefs('agent')).toEqual(['/agent/activity?tab=watched', '/agent/saved-searches']);
  expect(hrefs('admin')).toEqual(['/admin/activity?tab=watched', '/admin/saved-searches']);
});

test('the four sign-in links are in their order', () => {
  expect(loginLinks).toEqual([
    { href: '/buyer/login', label: 'Buyer Login' },
    { href: '/buyer/signup', label: 'Create Buyer Account' },
    { href: '/agent/login', label: 'Seller Login' },
    { href: '/admin', label: 'Admin Login' },
  ]);
});
