import { runPayoutSchedule } from '#features/payout-schedule/commands/run-schedule.ts';
import { savePayoutSchedule } from '#features/payout-schedule/commands/save-payout-schedule.ts';
import { nextScheduledPayouts, payoutScheduleState } from '#features/payout-schedule/reads.ts';
import { scheduleVersion } from '#features/payout-schedule/rules.ts';
import { settingDefaults } from '#features/settings/model.ts';
import { type Cells, operation } from '../support/operation.ts';
import { payoutsFor } from '../support/payouts.ts';
import { HEAD, systemOnlyRows } from '../support/table-rows.ts';

const ADMINS = 'Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden';
const seen = scheduleVersion({
  ...settingDefaults.payout_schedule,
  approvalCents: settingDefaults.payout_approval_cents,
});

export const cells: Cells = {
  'reads#payoutScheduleState': operation({
    cells: `
      ${HEAD}
      the schedule  ${ADMINS}  allowed
    `,
    act: (ctx, _, { scenario }) => payoutScheduleState({ ...ctx, payouts: payoutsFor(scenario) }),
    mayChange: () => false,
  }),
  'reads#nextScheduledPayouts': operation({
    cells: `
      ${HEAD}
      the schedule  ${ADMINS}  allowed
    `,
    act: (ctx) => nextScheduledPayouts(ctx),
    mayChange: () => false,
  }),
  'commands/save-payout-schedule#savePayoutSchedule': operation({
    cells: `
      ${HEAD}  unproven
      another schedule     ${ADMINS}  allowed  ProofRequired
      no frequency         ${ADMINS}  invalid  ProofRequired
      over another change  ${ADMINS}  newer    ProofRequired
    `,
    prepare: ({ scenario }) => scenario.db.q().deleteFrom('platform_settings').execute(),
    act: (ctx, _, { row }) =>
      savePayoutSchedule(ctx, {
        seen: row === 'over another change' ? 'older' : seen,
        frequency: row === 'no frequency' ? '' : 'monthly',
        minimum: '10000',
        requiresApproval: true,
        approval: '5,000,000',
      }),
  }),
  'commands/run-schedule#runPayoutSchedule': operation({
    cells: systemOnlyRows('the schedule'),
    act: (ctx, _, { scenario }) => runPayoutSchedule({ ...ctx, payouts: payoutsFor(scenario) }),
  }),
};
