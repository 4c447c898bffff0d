import { expect, it } from 'vitest';
import { visitor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { readAdmins } from './read-admins.ts';

const unreachable = {
  q: () => {
    throw new Error('no connection');
  },
} as unknown as Database;
const user = {
  kind: 'user',
  id: crypto.randomUUID(),
  name: 'Buyer',
  email: 'buyer@example.test',
  emailVerified: true,
  agentId: null,
  suspended: false,
  provedAt: null,
  mustAddFactor: false,
} as const;

it.each([
  ['a visitor', visitor, 'Not authenticated', 401],
  ['a buyer', { ...user, role: 'buyer' }, 'Not authorized', 403],
  [
    'an administrator without a second factor',
    { ...user, role: 'admin', mustAddFactor: true },
    'Not authorized',
    403,
  ],
  ['an administrator, of a database that is down', { ...user, role: 'admin' }, 'Reference: 00000001', 503],
] as const)(
  'the list of administrators says why it is not there for %s',
  async (_, actor, failure, status) => {
    const ctx = testContext(unreachable, { actor, requestId: '00000001-and-more' });
    expect(await readAdmins(ctx)).toEqual({ admins: null, failure, status });
  },
);
