import { expect, test } from 'vitest';
import { accountHome, bellHref, loginLinks } from './account-links.ts';

test('the account menu links to the home page of each role', () => {
  expect(accountHome('buyer')).toEqual({ href: '/buyer/transactions', label: 'My Activity' });
  expect(accountHome('agent')).toEqual({ href: '/agent/dashboard', label: 'Seller Dashboard' });
  expect(accountHome('admin')).toEqual({ href: '/admin/dashboard', label: 'Admin Dashboard' });
});

test('the bell links to the messages that it counts', () => {
  expect(bellHref('buyer', 0)).toBe('/buyer/transactions');
  expect(bellHref('buyer', 3)).toBe('/buyer/transactions?tab=inquiries');
  expect(bellHref('agent', 3)).toBe('/agent/inquiries');
  expect(bellHref('admin', 3)).toBeNull();
});

test('the four sign-in links are in their order', () => {
  expect(loginLinks).toEqual([
    { href: '/buyer/login', label: 'Buyer Login' },
    { href: '/buyer/signup', label: 'Create Buyer Account' },
    { href: '/agent/login', label: 'Seller Login' },
    { href: '/admin', label: 'Admin Login' },
  ]);
});
