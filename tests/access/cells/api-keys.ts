import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { admitApiKey } from '#features/api-keys/commands/admit-api-key.ts';
import { countKeyUse } from '#features/api-keys/commands/count-key-use.ts';
import { createApiKey } from '#features/api-keys/commands/create-api-key.ts';
import { revokeApiKey } from '#features/api-keys/commands/revoke-api-key.ts';
import { allApiKeys, ownApiKeys } from '#features/api-keys/reads.ts';
import { addKey } from '../support/api-keys.ts';
import { type Cells, operation } from '../support/operation.ts';
import { withoutRateLimits } from '../support/sales.ts';
import { HEAD, sameForAll } from '../support/table-rows.ts';

export const cells: Cells = {
  'reads#allApiKeys': operation({
    cells: `
      ${HEAD}
      all  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  allowed
    `,
    prepare: ({ scenario }) => addKey(scenario, 'sellerA'),
    act: (ctx) => allApiKeys(ctx),
    mayChange: () => false,
    verify(keys, { id }) {
      if (keys) expect(keys.map((key) => key.id)).toContain(id);
    },
  }),
  'reads#ownApiKeys': operation({
    cells: `
      ${HEAD}
      seller A’s  Unauthenticated  Forbidden  Forbidden  sees it  sees none of it  sees none of it  Forbidden
    `,
    prepare: ({ scenario }) => addKey(scenario, 'sellerA'),
    act: (ctx) => ownApiKeys(ctx),
    outcomeOf: (keys, { id }) => (keys.some((key) => key.id === id) ? 'sees it' : 'sees none of it'),
    mayChange: () => false,
  }),
  'commands/create-api-key#createApiKey': operation({
    cells: `
      ${HEAD}  unproven
      a key        Unauthenticated  Forbidden  Forbidden  allowed  allowed  Forbidden  allowed  ProofRequired
      no scope     Unauthenticated  Forbidden  Forbidden  invalid  invalid  Forbidden  invalid  ProofRequired
    `,
    act: (ctx, _, { row }) =>
      createApiKey(withoutRateLimits(ctx), {
        name: `Key ${randomUUID()}`,
        scopes: row === 'no scope' ? [] : ['listings'],
        perMinute: '60',
      }),
    async verify(result, _, { scenario, actor }) {
      if (!result?.ok) return;
      const stored = await scenario.db
        .q()
        .selectFrom('api_keys')
        .selectAll()
        .where('id', '=', result.id)
        .executeTakeFirstOrThrow();
      expect(stored.agent_id).toBe(actor === 'admin' ? null : scenario.person(actor).agentId);
      expect(JSON.stringify(stored)).not.toContain(result.secret);
    },
  }),
  'commands/revoke-api-key#revokeApiKey': operation({
    cells: `
      ${HEAD}
      seller A’s      Unauthenticated  Forbidden  Forbidden  allowed  refused  refused  allowed
      the admin’s     Unauthenticated  Forbidden  Forbidden  refused  refused  refused  allowed
      the suspended’s  Unauthenticated  Forbidden  Forbidden  refused  refused  allowed  allowed
      no id at all    Unauthenticated  Forbidden  Forbidden  refused  refused  refused  refused
    `,
    async prepare({ scenario, row }) {
      if (row === 'no id at all') return { id: "' or 1=1 --" };
      const owners = {
        'seller A’s': 'sellerA',
        'the admin’s': 'admin',
        'the suspended’s': 'suspended',
      } as const;
      return addKey(scenario, owners[row as keyof typeof owners]);
    },
    act: (ctx, { id }) => revokeApiKey(ctx, { keyId: id }),
  }),
  // The key says who asks: a session neither adds to it nor takes from it.
  'commands/admit-api-key#admitApiKey': operation({
    cells: sameForAll(
      ['the admin’s', 'market'],
      ['seller A’s', 'seller A'],
      ['the suspended’s', 'Forbidden'],
      ['a buyer’s', 'Unauthenticated'],
      ['a revoked one', 'Unauthenticated'],
      ['made up', 'Unauthenticated'],
      ['nothing', 'Unauthenticated'],
    ),
    async prepare({ scenario, row }) {
      if (row === 'nothing') return { secret: '' };
      if (row === 'made up') return { secret: `acre_00000000_${'A'.repeat(43)}` };
      const owner = {
        'seller A’s': 'sellerA',
        'the suspended’s': 'suspended',
        'a buyer’s': 'buyerA',
      } as const;
      return addKey(scenario, owner[row as keyof typeof owner] ?? 'admin', {
        revoked: row === 'a revoked one',
      });
    },
    act: (ctx, { secret }) => admitApiKey(withoutRateLimits(ctx), { secret }),
    outcomeOf: ({ agentId }, _, { scenario }) => {
      if (agentId === null) return 'market';
      return agentId === scenario.cast.sellerA.agentId ? 'seller A' : 'someone else';
    },
    unaudited: 'notes only when the key was last used',
  }),
  'commands/count-key-use#countKeyUse': operation({
    cells: sameForAll(['a request', 'allowed']),
    prepare: ({ scenario }) => addKey(scenario, 'admin'),
    act: (ctx, { id }) => countKeyUse(ctx, { keyId: id, scopes: ['listings'], agentId: null }, 7),
    unaudited: 'counts requests by day',
  }),
};
