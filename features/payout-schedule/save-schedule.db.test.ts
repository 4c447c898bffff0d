import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { recordHistory } from '#features/audit/reads.ts';
import { openPayouts } from '#gateways/payouts/open.ts';
import type { Payouts } from '#gateways/payouts/port.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testClock, testConfig, testContext } from '#tests/support/fixtures/context.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { savePayoutSchedule } from './commands/save-payout-schedule.ts';
import type { ScheduleSettings } from './model.ts';
import { payoutScheduleState } from './reads.ts';
import { scheduleMessages, scheduleVersion } from './rules.ts';

await describeOnDatabase('the payout settings', (open) => {
  let db: Database;
  let payouts: Payouts;
  let admin: UserActor;
  let other: UserActor;
  // A Monday, before the run of the day.
  const clock = testClock('2026-11-23T01:00:00Z');
  beforeAll(async () => {
    db = await open();
    payouts = await openPayouts(testConfig, db, clock.now);
  });
  beforeEach(async () => {
    await db.q().deleteFrom('platform_settings').execute();
    [admin, other] = [await createUser(db, 'admin'), await createUser(db, 'admin')];
  });
  afterAll(() => db.close());

  const ctx = (actor = admin) => ({ ...testContext(db, { actor, now: clock.now }), payouts });
  const state = (actor = admin) => payoutScheduleState(ctx(actor));
  const defaults: ScheduleSettings = { frequency: 'manual', minimumCents: 0, approvalCents: 5_000_000_00 };
  const save = (
    typed: Partial<Parameters<typeof savePayoutSchedule>[1]>,
    { actor = admin, seen = defaults }: { actor?: UserActor; seen?: ScheduleSettings } = {},
  ) =>
    savePayoutSchedule(ctx(actor), {
      seen: scheduleVersion(seen),
      frequency: 'manual',
      minimum: '0',
      requiresApproval: true,
      approval: '5,000,000',
      ...typed,
    });

  it('leave payouts to administrators until they are changed, and say what follows', async () => {
    expect(await state()).toEqual({
      settings: defaults,
      raised: null,
      next: { frequency: 'manual', minimumCents: 0, at: null, inWords: null },
      last: null,
      byHand: [],
    });
    expect(await save({ frequency: 'weekly', minimum: '10000' })).toEqual({ ok: true });
    expect((await state()).next).toEqual({
      frequency: 'weekly',
      minimumCents: 100_00,
      at: '2026-11-23T02:00:00.000Z',
      inWords: 'in 60 minutes',
    });
    expect(await db.q().selectFrom('platform_settings').select('setting_name').execute()).toEqual([
      { setting_name: 'payout_schedule' },
    ]);
  });

  it('tell what they were before and are now', async () => {
    await save({ frequency: 'monthly', approval: '$250,000.50' });
    const { entries } = await recordHistory(ctx(), {
      entity: 'platform_setting',
      entityId: ['payout_schedule', 'payout_approval_cents'],
    });
    expect(entries.slice(0, 2).map(({ who, changes }) => [who, ...changes])).toEqual([
      [admin.name, { field: 'Approval required above', before: 'None', after: '$250,000.50' }],
      [admin.name, { field: 'Payout schedule', before: 'None', after: 'Frequency: Monthly; Minimum: $0.00' }],
    ]);
  });

  it('are refused with the reason beside the field', async () => {
    expect(await save({ frequency: 'hourly', minimum: '7', approval: 'much' })).toEqual({
      ok: false,
      reason: 'invalid',
      errors: {
        frequency: scheduleMessages.frequencyMissing,
        minimum: scheduleMessages.minimumMissing,
        approval: scheduleMessages.approvalWrong,
      },
    });
    expect(await state()).toMatchObject({ settings: defaults });
  });

  it('are not saved over those that another administrator has saved meanwhile', async () => {
    const results = await Promise.all([
      save({ frequency: 'daily' }),
      save({ frequency: 'weekly' }, { actor: other }),
    ]);
    const won = results.findIndex(({ ok }) => ok);
    const frequency = ['daily', 'weekly'][won];
    expect(results[1 - won]).toEqual({
      ok: false,
      reason: 'newer',
      current: { ...defaults, frequency },
    });
    expect((await state()).settings.frequency).toBe(frequency);
    // The same again is no other change.
    expect(await save({ frequency })).toEqual({ ok: true });
  });

  it('bind whoever raises the threshold, and the schedule, until another administrator saves it', async () => {
    await save({ approval: '300,000' }, { actor: other });
    await save({ requiresApproval: false }, { seen: { ...defaults, approvalCents: 300_000_00 } });
    const raised = { ...defaults, approvalCents: null };
    const bound = { boundCents: 300_000_00, by: admin.name };
    expect(await state()).toMatchObject({ settings: raised, raised: { ...bound, isViewer: true } });
    expect(await state(other)).toMatchObject({ raised: { ...bound, isViewer: false } });
    await save({ requiresApproval: false }, { seen: raised });
    expect((await state()).raised).toEqual({ ...bound, isViewer: true });
    await save({ requiresApproval: false }, { actor: other, seen: raised });
    expect(await state()).toMatchObject({ settings: raised, raised: null });
  });
});
