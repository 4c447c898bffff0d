import { expect, test } from 'vitest';
import { bellHref, loginLinks, ownPlace } from './account-links.ts';

test('each role has its own place (B-016)', () => {
  expect(ownPlace('buyer')).toEqual({ href: '/buyer/transactions', label: 'My Activity' });
  expect(ownPlace('agent')).toEqual({ href: '/agent/dashboard', label: 'Seller Dashboard' });
  expect(ownPlace('admin')).toEqual({ href: '/admin/dashboard', label: 'Admin Dashboard' });
});

test('the bell leads to the messages that it counts (B-017, B-018)', () => {
  expect(bellHref('buyer', 0)).toBe('/buyer/transactions');
  expect(bellHref('buyer', 3)).toBe('/buyer/transactions?tab=inquiries');
  expect(bellHref('agent', 3)).toBe('/agent/inquiries');
  expect(bellHref('admin', 3)).toBeNull();
});

test('the four ways in, in their order (S0 §2)', () => {
  expect(loginLinks).toEqual([
    { href: '/buyer/login', label: 'Buyer Login' },
    { href: '/buyer/signup', label: 'Create Buyer Account' },
    { href: '/agent/login', label: 'Seller Login' },
    { href: '/admin', label: 'Admin Login' },
  ]);
});
