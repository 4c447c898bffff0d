import { expect, it } from 'vitest';
import { visitor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { userWith } from '#tests/support/fixtures/actors.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { readAdmins } from './read-admins.ts';

const unreachable = {
  q: () => {
    throw new Error('no connection');
  },
} as unknown as Database;

it.each([
  ['a visitor', visitor, 'Not authenticated', 401],
  ['a buyer', userWith('buyer'), 'Not authorized', 403],
  [
    'an administrator without a second factor',
    userWith('admin', { mustAddFactor: true }),
    'Not authorized',
    403,
  ],
  ['an administrator, of a database that is down', userWith('admin'), 'Reference: 00000001', 503],
] as const)(
  'the list of administrators says why it is not there for %s',
  async (_, actor, failure, status) => {
    const ctx = testContext(unreachable, { actor, requestId: '00000001-and-more' });
    expect(await readAdmins(ctx)).toEqual({ admins: null, failure, status });
  },
);
