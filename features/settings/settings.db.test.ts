import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { invalidate } from '#platform/cache.ts';
import type { Actor, UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { changeSetting } from './commands/change-setting.ts';
import { saveOperator } from './commands/save-operator.ts';
import { layoutMail, mailSender } from './mails.ts';
import {
  brandName,
  documentsDueDays,
  isTestBuyer,
  payoutApprovalCents,
  payoutHoldDays,
  payoutSchedule,
  savedOperator,
  savedPayoutApproval,
  supportAddress,
} from './reads.ts';

await describeOnDatabase('settings', (open) => {
  let db: Database;
  let admin: UserActor;
  beforeAll(async () => {
    db = await open();
    admin = await createUser(db, 'admin');
  });
  beforeEach(async () => {
    await db.q().deleteFrom('platform_settings').execute();
    invalidate(db);
  });
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
      { actor_id: admin.id, entity_id: 'documents_due_days', before: { value: null }, after: { value: 10 } },
      { actor_id: admin.id, entity_id: 'documents_due_days', before: { value: 10 }, after: { value: 12 } },
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
    ['payout_schedule', { frequency: 'hourly', minimumCents: 0 }],
    ['payout_schedule', { frequency: 'daily', minimumCents: 1 }],
    ['payout_schedule', { frequency: 'daily' }],
    ['payout_approval_cents', -1],
    ['payout_approval_cents', 0.5],
    ['test_buyers', ['nobody']],
    ['test_buyers', 'buyer@example.test'],
    ['test_buyers', Array.from({ length: 101 }, (_, at) => `buyer${at}@example.test`)],
  ])('%s does not accept %j', async (name, value) => {
    expect(await change(name, value)).toMatchObject({ ok: false, reason: 'invalid' });
    expect(await db.q().selectFrom('platform_settings').selectAll().execute()).toEqual([]);
  });

  it.each(['demo_market', 'constructor', ''])('%j is no setting that can be changed', async (name) => {
    await expect(change(name, 1)).resolves.toEqual({ ok: false, reason: 'unknown_setting' });
  });

  it('pay by hand until a schedule is set, and say since when and by whom', async () => {
    expect(await payoutSchedule(ctx())).toEqual({
      frequency: 'manual',
      minimumCents: 0,
      since: null,
      setBy: null,
    });
    await change('payout_schedule', { frequency: 'weekly', minimumCents: 100_00 });
    expect(await payoutSchedule(ctx())).toEqual({
      frequency: 'weekly',
      minimumCents: 100_00,
      since: expect.any(Date),
      setBy: admin.id,
    });
  });

  it('bind whoever raises the threshold of payout runs, and the schedule with them, to what others set', async () => {
    const [one, other] = [await createUser(db, 'admin'), await createUser(db, 'admin')];
    const set = (actor: UserActor, value: number | null) =>
      changeSetting(testContext(db, { actor }), { name: 'payout_approval_cents', value });
    const bound = async (actor: Actor) => payoutApprovalCents(testContext(db, { actor }));
    const schedule: Actor = { kind: 'system', name: 'test' };
    expect(await payoutApprovalCents(ctx())).toBe(5_000_000_00);
    await set(one, null);
    expect(await savedPayoutApproval(ctx())).toEqual({ cents: null, changedBy: one.id });
    expect(await bound(one)).toBe(5_000_000_00);
    expect(await bound(other)).toBe(null);
    expect(await bound(schedule)).toBe(5_000_000_00);
    await set(other, null);
    expect([await bound(one), await bound(other), await bound(schedule)]).toEqual([null, null, null]);
    await set(other, 100);
    expect([await bound(one), await bound(other), await bound(schedule)]).toEqual([100, 100, 100]);
    await set(one, 200);
    expect([await bound(one), await bound(other), await bound(schedule)]).toEqual([100, 200, 100]);
    await set(other, 200);
    expect([await bound(one), await bound(other), await bound(schedule)]).toEqual([200, 200, 200]);
  });

  const operator = (
    input: { brand?: string; supportAddress?: string },
    base = { brand: 'Acre Trading Post', supportAddress: null as string | null },
    actor = admin,
  ) =>
    saveOperator(testContext(db, { actor }), {
      brand: base.brand,
      supportAddress: base.supportAddress ?? '',
      base,
      ...input,
    });

  it('name the marketplace and its support address, from the next page and mail on', async () => {
    expect(await savedOperator(ctx())).toEqual({
      brand: 'Acre Trading Post',
      supportAddress: null,
      derivedAddress: 'support@acre.test',
      changedBy: null,
      changedAt: null,
    });
    const content = { heading: 'Hello', paragraphs: ['Text'] };
    expect((await layoutMail(ctx(), content)).text).toContain('Questions? Write to support@acre.test.');
    expect(await operator({ brand: ' Bell\n& Acre ', supportAddress: 'help@bell.test' })).toEqual({
      ok: true,
    });
    expect(await brandName(ctx())).toBe('Bell & Acre');
    expect(await supportAddress(ctx())).toBe('help@bell.test');
    expect(await mailSender(ctx())).toEqual({ senderName: 'Bell & Acre', replyTo: 'help@bell.test' });
    const { text, html } = await layoutMail(ctx(), content);
    expect(text).toBe('Bell & Acre\n\nHello\n\nText\n\n-- \nQuestions? Write to help@bell.test.\n');
    expect(html).toContain('Bell &amp; Acre<br>Questions? Write to help@bell.test.');
    expect(await savedOperator(ctx())).toMatchObject({ changedBy: admin.name });
  });

  it('are not changed over those that somebody else has saved meanwhile', async () => {
    const other = await createUser(db, 'admin');
    const results = await Promise.all([
      operator({ brand: 'One' }),
      operator({ brand: 'Two' }, undefined, other),
    ]);
    const at = results.findIndex(({ ok }) => ok);
    expect(results[1 - at]).toMatchObject({
      reason: 'newer',
      current: { brand: ['One', 'Two'][at], changedBy: [admin.name, other.name][at] },
    });
  });

  it('are not changed by a page that has not seen the support address of somebody else', async () => {
    expect(await operator({ supportAddress: 'help@bell.test' })).toEqual({ ok: true });
    expect(await operator({ supportAddress: 'desk@acre.test' })).toMatchObject({
      ok: false,
      reason: 'newer',
      current: { supportAddress: 'help@bell.test' },
    });
    expect(await supportAddress(ctx())).toBe('help@bell.test');
  });

  it.each([
    [{ brand: ' ' }, { brand: 'Name is required' }],
    [{ brand: 'x'.repeat(61) }, { brand: 'The name can have at most 60 characters' }],
    [{ supportAddress: 'nobody' }, { supportAddress: 'Please enter a valid email address' }],
  ])('refuse the name and address %j', async (input, errors) => {
    expect(await operator(input)).toEqual({ ok: false, reason: 'invalid', errors });
  });

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
