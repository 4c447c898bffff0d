import { expect, it } from 'vitest';
import type { Database } from '../db/database.ts';
import type { ReplicaState } from '../db/replica-monitor.ts';
import { databaseFor, wroteCookie } from './own-writes.ts';

const database = (state: ReplicaState | null) => {
  const [q, replica] = [() => 'primary', () => 'replica'];
  return { q, replica, replicaState: () => state } as unknown as Database;
};
const https = { publicUrl: 'https://market.example' };
const usable = { usable: true, lagMs: 0 } as const;
const readsFrom = (state: ReplicaState | null, init: RequestInit = {}) =>
  String(databaseFor(database(state), https, new Request('http://localhost/', init)).replica());

it('reads from the primary in a request that writes, and for fifteen seconds in the same browser', () => {
  expect(readsFrom(usable)).toBe('replica');
  expect(readsFrom(usable, { method: 'HEAD' })).toBe('replica');
  const write = new Request('http://localhost/', { method: 'POST' });
  expect(readsFrom(usable, { method: 'POST' })).toBe('primary');
  const cookie = wroteCookie(database(usable), https, write);
  expect(cookie).toBe('__Host-acre-wrote=1; Max-Age=15; Path=/; HttpOnly; Secure; SameSite=Lax');
  expect(readsFrom(usable, { headers: { cookie: 'other=1; __Host-acre-wrote=1' } })).toBe('primary');
  expect(readsFrom(usable, { headers: { cookie: 'acre-wrote=1' } })).toBe('replica');
});

it('sets no cookie after a request that only reads, or without a replica', () => {
  const publicUrl = 'http://localhost:3000';
  expect(wroteCookie(database(usable), { publicUrl }, new Request(publicUrl))).toBeNull();
  const write = new Request(publicUrl, { method: 'POST' });
  expect(wroteCookie(database(null), { publicUrl }, write)).toBeNull();
  expect(wroteCookie(database(usable), { publicUrl }, write)).toBe(
    'acre-wrote=1; Max-Age=15; Path=/; HttpOnly; SameSite=Lax',
  );
});
