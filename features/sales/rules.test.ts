import { expect, it } from 'vitest';
import type { Role } from '#platform/context.ts';
import { userWith } from '#tests/support/fixtures/actors.ts';
import { partyOf } from './rules.ts';

const sale = { buyerId: 'the buyer', agentId: 'the seller' };
const user = (role: Role, id: string, agentId: string | null = null) => userWith(role, { id, agentId });

it.each([
  ['buyer', user('buyer', 'the buyer')],
  // Whatever they have become since.
  ['buyer', user('admin', 'the buyer')],
  ['buyer', user('agent', 'the buyer', 'a seller')],
  ['seller', user('agent', 'somebody', 'the seller')],
  ['admin', user('admin', 'somebody')],
  [null, user('buyer', 'somebody')],
  [null, user('agent', 'somebody', 'another seller')],
  // A seller no longer.
  [null, user('buyer', 'somebody', 'the seller')],
])('the part in a sale is %s for %j', (party, actor) => {
  expect(partyOf(actor, sale)).toBe(party);
});
