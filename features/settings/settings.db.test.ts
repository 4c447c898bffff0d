import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { changeSetting } from './commands/change-setting.ts';
import { documentsDueDays, isTestBuyer, payoutHoldDays } from './reads.ts';

await describeOnDatabase('settings', (open) => {
  let db: Database;
  let admin: UserActor;
  beforeAll(async () => {
    db = await open();
    admin = await createUser(db, 'admin');
  });
  beforeEach(() => db.q().deleteFrom('platform_settings').execute());
  afterAll(() => db.close());

  const ctx = () => testContext(db, { actor: admin });
  const change = (name: string, value: unknown) => changeSetting(ctx(), { name, value });

  it('have defaults until an administrator changes them', async () => {
    expect(await documentsDueDays(ctx())).toBe(14);
    expect(await payoutHoldDays(ctx())).toEqual({ card: 7, bank: 60, chain: 1 });
    expect(await isTestBuyer(ctx())).toBe(false);
    expect(await change('documents_due_days', 21)).toEqual({ ok: true });
    expect(await change('payout_hold_days', { card: 10, bank: 65, chain: 0 })).toEqual({ ok: true });
    expect(await change('test_buyers', [` ${admin.email.toUpperCase()} `, admin.email])).toEqual({
      ok: true,
    });
    expect(await documentsDueDays(ctx())).toBe(21);
    expect(await payoutHoldDays(ctx())).toEqual({ card: 10, bank: 65, chain: 0 });
    expect(await isTestBuyer(ctx())).toBe(true);
    const rows = await db.q().selectFrom('platform_settings').selectAll().execute();
    expect(rows.find(({ setting_name }) => setting_name === 'test_buyers')).toMatchObject({
      setting_value: [admin.email],
      updated_by: admin.id,
    });
  });

  it('leave one audit row for each change, with the value before and after', async () => {
    const audited = () =>
      db
        .q()
        .selectFrom('audit_log')
        .select(['actor_id', 'entity_id', 'before', 'after'])
        .where('action', '=', 'setting.change')
        .orderBy('id')
        .execute();
    const earlier = (await audited()).length;
    await change('documents_due_days', 10);
    await change('documents_due_days', 12);
    await change('documents_due_days', 0);
    expect((await audited()).slice(earlier)).toEqual([
      { actor_id: admin.id, entity_id: 'documents_due_days', before: 14, after: 10 },
      { actor_id: admin.id, entity_id: 'documents_due_days', before: 10, after: 12 },
    ]);
  });

  it.each([
    ['documents_due_days', 0],
    ['documents_due_days', 91],
    ['documents_due_days', 1.5],
    ['documents_due_days', '14'],
    ['documents_due_days', null],
    ['payout_hold_days', { card: 7, bank: 60 }],
    ['payout_hold_days', { card: 7, bank: 60, chain: -1 }],
    ['payout_hold_days', { card: 7, bank: 366, chain: 1 }],
    ['payout_hold_days', { card: 7, bank: 60, chain: 1, cash: 1 }],
    ['test_buyers', ['nobody']],
    ['test_buyers', 'buyer@example.test'],
    ['test_buyers', Array.from({ length: 101 }, (_, at) => `buyer${at}@example.test`)],
  ])('%s does not accept %j', async (name, value) => {
    expect(await change(name, value)).toMatchObject({ ok: false, reason: 'invalid' });
    expect(await db.q().selectFrom('platform_settings').selectAll().execute()).toEqual([]);
  });

  it.each(['brand', 'demo_market', 'constructor', ''])(
    '%j is no setting that can be changed',
    async (name) => {
      expect(await change(name, 1)).toEqual({ ok: false, reason: 'unknown_setting' });
    },
  );

  it('stored otherwise than by the command, hold their default', async () => {
    await db
      .q()
      .insertInto('platform_settings')
      .values([
        { setting_name: 'documents_due_days', setting_value: '1000' },
        { setting_name: 'test_buyers', setting_value: '"*"' },
      ])
      .execute();
    expect(await documentsDueDays(ctx())).toBe(14);
    expect(await isTestBuyer(ctx())).toBe(false);
  });
});
