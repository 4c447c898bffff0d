import { expect } from 'vitest';
import { changeSetting } from '#features/settings/commands/change-setting.ts';
import { saveOperator } from '#features/settings/commands/save-operator.ts';
import {
  brandName,
  documentsDueDays,
  isTestBuyer,
  ownershipProofRequired,
  payoutApprovalCents,
  payoutHoldDays,
  payoutSchedule,
  savedOperator,
  savedPayoutApproval,
  supportAddress,
  writeOffApprovalCents,
} from '#features/settings/reads.ts';
import { invalidate } from '#platform/cache.ts';
import { type Cells, operation } from '../support/operation.ts';
import type { Scenario } from '../support/scenario.ts';
import { HEAD, sameForAll } from '../support/table-rows.ts';

/** Sets a setting past the command. */
const store = ({ db }: Scenario, setting_name: string, value: unknown) =>
  db
    .q()
    .insertInto('platform_settings')
    .values({ setting_name, setting_value: JSON.stringify(value) })
    .onConflict((conflict) =>
      conflict.column('setting_name').doUpdateSet({ setting_value: JSON.stringify(value) }),
    )
    .execute();

export const cells: Cells = {
  'reads#brandName': operation({
    cells: sameForAll(['the brand', 'allowed']),
    async prepare({ scenario }) {
      await store(scenario, 'brand', 'Plain Acres');
      await store(scenario, 'a_key', 'kept secret');
      invalidate(scenario.db);
    },
    act: (ctx) => brandName(ctx),
    verify: (brand) => expect(brand).toBe('Plain Acres'),
  }),

  'reads#supportAddress': operation({
    cells: sameForAll(['the address', 'allowed']),
    async prepare({ scenario }) {
      await store(scenario, 'support_address', 'help@acre.test');
      invalidate(scenario.db);
    },
    act: (ctx) => supportAddress(ctx),
    verify: (address) => expect(address).toBe('help@acre.test'),
  }),

  'reads#savedOperator': operation({
    cells: `
      ${HEAD}
      the name  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  allowed
    `,
    act: (ctx) => savedOperator(ctx),
    mayChange: () => false,
  }),

  'commands/save-operator#saveOperator': operation({
    cells: `
      ${HEAD}  unproven
      another name      Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  allowed  ProofRequired
      no name           Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  invalid  ProofRequired
      over another one  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  newer  ProofRequired
    `,
    async prepare({ scenario }) {
      await scenario.db.q().deleteFrom('platform_settings').execute();
      await store(scenario, 'brand', 'Plain Acres');
    },
    act: (ctx, _, { row }) =>
      saveOperator(ctx, {
        brand: row === 'no name' ? '' : 'Other Acres',
        supportAddress: '',
        base: { brand: row === 'over another one' ? 'Older Acres' : 'Plain Acres', supportAddress: null },
      }),
  }),

  'reads#documentsDueDays': operation({
    cells: sameForAll(['the days', 'allowed']),
    prepare: ({ scenario }) => store(scenario, 'documents_due_days', 21),
    act: (ctx) => documentsDueDays(ctx),
    mayChange: () => false,
    verify: (days) => expect(days).toBe(21),
  }),

  'reads#ownershipProofRequired': operation({
    cells: sameForAll(['needed', 'allowed']),
    prepare: ({ scenario }) => store(scenario, 'ownership_proof_required', true),
    act: (ctx) => ownershipProofRequired(ctx),
    mayChange: () => false,
    verify: (required) => expect(required).toBe(true),
  }),

  'reads#payoutHoldDays': operation({
    cells: `
      ${HEAD}
      the days  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  allowed
    `,
    act: (ctx) => payoutHoldDays(ctx),
    mayChange: () => false,
  }),

  'reads#writeOffApprovalCents': operation({
    cells: `
      ${HEAD}
      the cents  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  allowed
    `,
    act: (ctx) => writeOffApprovalCents(ctx),
    mayChange: () => false,
  }),

  'reads#payoutSchedule': operation({
    cells: `
      ${HEAD}
      the schedule  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  allowed
    `,
    act: (ctx) => payoutSchedule(ctx),
    mayChange: () => false,
  }),

  'reads#savedPayoutApproval': operation({
    cells: `
      ${HEAD}
      the cents  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  allowed
    `,
    act: (ctx) => savedPayoutApproval(ctx),
    mayChange: () => false,
  }),

  'reads#payoutApprovalCents': operation({
    cells: `
      ${HEAD}
      the cents  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  allowed
    `,
    act: (ctx) => payoutApprovalCents(ctx),
    mayChange: () => false,
  }),

  // Everybody learns of themselves alone.
  'reads#isTestBuyer': operation({
    cells: `
      ${HEAD}
      buyer A is one  Unauthenticated  yes  no  no  no  no  no
    `,
    prepare: ({ scenario }) => store(scenario, 'test_buyers', [scenario.person('buyerA').email]),
    act: (ctx) => isTestBuyer(ctx),
    outcomeOf: (is) => (is ? 'yes' : 'no'),
    mayChange: () => false,
  }),

  'commands/change-setting#changeSetting': operation({
    cells: `
      ${HEAD}  unproven
      documents_due_days: 30   Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  allowed  ProofRequired
      test_buyers: []          Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  allowed  ProofRequired
      documents_due_days: -1   Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  invalid  ProofRequired
      brand: "Other"           Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  allowed  ProofRequired
      secret: "Other"          Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  unknown_setting  ProofRequired
    `,
    act(ctx, _, { row }) {
      const [name = '', value = ''] = row.split(': ');
      return changeSetting(ctx, { name, value: JSON.parse(value) as unknown });
    },
  }),
};
