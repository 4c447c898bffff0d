import { expect, it } from 'vitest';
import type { PaymentMethod, PaymentsPort, ProviderName } from './port.ts';
import {
  accountProviderOf,
  paysInParts,
  portForTotal,
  providerOfCheckout,
  providersOfAccount,
} from './providers.ts';

it.each([
  ['stripe', 'stripe', ['stripe', 'stripe-transfers'], false],
  ['stripe-transfers', 'stripe', ['stripe-transfers'], true],
  ['sandbox-transfers', 'sandbox-card', ['sandbox-transfers'], true],
  ['sandbox-card', 'sandbox-card', ['sandbox-card', 'sandbox-transfers'], false],
  ['coinbase', 'coinbase', ['coinbase'], false],
])('the account of %s is kept under %s', (provider, owner, sharing, inParts) => {
  expect(accountProviderOf(provider)).toBe(owner);
  expect(providersOfAccount(provider)).toEqual(sharing);
  expect(paysInParts(provider)).toBe(inParts);
});

it('a checkout that is a customer belongs to the payments in parts', () => {
  expect(providerOfCheckout('stripe', 'cus_1')).toBe('stripe-transfers');
  expect(providerOfCheckout('stripe', 'cs_1')).toBe('stripe');
  expect(providerOfCheckout('coinbase', 'cus_1')).toBe('coinbase');
});

it('the port for a total is that of one piece as long as it carries it, then that in parts of the same provider', () => {
  const port = (provider: ProviderName, method: PaymentMethod, maxCents: number) =>
    ({ provider, method, limits: { maxCents } }) as PaymentsPort;
  const card = port('sandbox-card', 'card', 100);
  const parts = port('sandbox-transfers', 'card', 1_000);
  const stripe = port('stripe', 'card', 100);
  const crypto = port('coinbase', 'crypto', 500);
  const all = [parts, card, crypto];
  expect(portForTotal(all, 'card')).toBe(card);
  expect(portForTotal(all, 'card', 100)).toBe(card);
  expect(portForTotal(all, 'card', 101)).toBe(parts);
  expect(portForTotal(all, 'card', 5_000)).toBe(parts);
  expect(portForTotal([stripe, ...all], 'card', 101)).toBe(stripe);
  expect(portForTotal(all, 'crypto', 501)).toBe(crypto);
  expect(portForTotal([parts], 'card', 101)).toBeUndefined();
});
