import { publishPolicy } from '#features/policies/commands/publish-policy.ts';
import { currentPolicy, policyForEditing, policyVersion } from '#features/policies/reads.ts';
import { type Cells, operation } from '../support/operation.ts';
import { HEAD, sameForAll } from '../support/table-rows.ts';

const adminsOnly = (row: string, outcome: string) =>
  `${row}  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  ${outcome}`;

export const cells: Cells = {
  'reads#currentPolicy': operation({
    cells: sameForAll(['the terms', 'allowed']),
    act: (ctx) => currentPolicy(ctx, 'terms'),
    mayChange: () => false,
  }),

  'reads#policyVersion': operation({
    cells: sameForAll(['the built-in one', 'allowed']),
    act: (ctx) => policyVersion(ctx, { kind: 'privacy', version: 0 }),
    mayChange: () => false,
  }),

  'reads#policyForEditing': operation({
    cells: `
      ${HEAD}
      ${adminsOnly('the terms', 'allowed')}
    `,
    act: (ctx) => policyForEditing(ctx, 'terms'),
    mayChange: () => false,
  }),

  'commands/publish-policy#publishPolicy': operation({
    cells: `
      ${HEAD}
      ${adminsOnly('another text', 'allowed')}
      ${adminsOnly('no text', 'invalid')}
      ${adminsOnly('an older version', 'newer')}
    `,
    async prepare({ scenario }) {
      return (await currentPolicy(scenario.ctx('anonymous'), 'privacy')).version;
    },
    act: (ctx, version, { row }) =>
      publishPolicy(ctx, {
        kind: 'privacy',
        body: row === 'no text' ? '' : `We know nothing: ${row}.`,
        base: row === 'an older version' ? version - 1 : version,
      }),
  }),
};
