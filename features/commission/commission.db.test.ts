import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { checkAudit } from '#features/audit/reads.ts';
import { recordBaseline } from '#features/audit/states.ts';
import { defaultCommissionRate } from '#features/sellers/default-rate.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { dropPlannedCommission, setCommission } from './commands/set-commission.ts';
import { adminPercentage, platformCommission } from './reads.ts';
import { commissionVersion } from './rules.ts';

await describeOnDatabase('the platform commission in the database', (open) => {
  let db: Database;
  let admin: UserActor;
  beforeAll(async () => {
    db = await open();
    admin = await createUser(db, 'admin');
  });
  beforeEach(async () => {
    await db.q().deleteFrom('commission_settings').execute();
  });
  afterAll(() => db.close());

  const at = (day: string, actor = admin) =>
    testContext(db, { actor, now: () => new Date(`${day}T12:00:00Z`) });
  const now = async (day: string) => (await platformCommission(at(day))).commission;
  const set = async (day: string, percent: string, from?: string, seen?: string, actor = admin) =>
    setCommission(at(day, actor), {
      percent,
      when: from ? 'day' : 'now',
      day: from ?? '',
      seen: seen ?? commissionVersion(await now(day)),
    });

  it('is 20 percent until it is set, in one row ever', async () => {
    expect(await adminPercentage(at('2026-01-01'))).toBe(20);
    expect(await now('2026-01-01')).toEqual({ percent: 20, effectiveFrom: null, next: null });
    expect(await set('2026-01-01', '18')).toEqual({ ok: true, planned: false });
    expect(await now('2026-01-01')).toEqual({ percent: 18, effectiveFrom: '2026-01-01', next: null });
    await set('2026-01-02', '17');
    expect(await db.q().selectFrom('commission_settings').select('id').execute()).toEqual([{ id: 1 }]);
    await expect(
      db.q().insertInto('commission_settings').values({ id: 2, admin_percentage: 1 }).execute(),
    ).rejects.toThrow(/check constraint/);
  });

  it('changes on a later day for purchases from then on, and goes on from there', async () => {
    await set('2026-01-01', '18');
    // What other tests have deleted does not count.
    await recordBaseline(db.q(), 'system:test', new Date());
    expect(await set('2026-01-10', '15', '2026-02-01')).toEqual({ ok: true, planned: true });
    expect(await adminPercentage(at('2026-01-31'))).toBe(18);
    expect(await defaultCommissionRate(at('2026-01-31'))).toBe(82);
    expect(await adminPercentage(at('2026-02-01'))).toBe(15);
    expect(await defaultCommissionRate(at('2026-02-01'))).toBe(85);
    await set('2026-02-10', '12', '2026-03-01');
    expect(await now('2026-02-10')).toEqual({
      percent: 15,
      effectiveFrom: '2026-02-01',
      next: { percent: 12, from: '2026-03-01' },
    });
    // A change at once leaves the plan as it is.
    await set('2026-02-11', '14');
    expect(await now('2026-02-11')).toMatchObject({ percent: 14, next: { percent: 12 } });
    const seen = commissionVersion(await now('2026-02-12'));
    expect(await dropPlannedCommission(at('2026-02-12'), { seen })).toEqual({ ok: true, planned: false });
    expect(await now('2026-06-01')).toEqual({ percent: 14, effectiveFrom: '2026-02-11', next: null });
    const { findings } = await checkAudit(at('2026-06-01'));
    expect(findings.filter(({ subject }) => subject.startsWith('commission'))).toEqual([]);
  });

  it('is not changed over what another administrator has set meanwhile', async () => {
    const other = await createUser(db, 'admin');
    const seen = commissionVersion(await now('2026-01-01'));
    const results = await Promise.all([
      set('2026-01-01', '18', undefined, seen),
      set('2026-01-01', '16', undefined, seen, other),
    ]);
    const won = results.findIndex(({ ok }) => ok);
    const percent = [18, 16][won];
    expect(results[1 - won]).toMatchObject({ reason: 'newer', current: { percent } });
    expect(await adminPercentage(at('2026-01-01'))).toBe(percent);
  });

  it('counts the sellers with a rate of their own', async () => {
    const { ownRates: before } = await platformCommission(at('2026-01-01'));
    const { agentId } = await createUser(db, 'agent');
    await db
      .q()
      .updateTable('agents')
      .set({ commission_rate: 75 })
      .where('id', '=', agentId ?? '')
      .execute();
    const { ownRates } = await platformCommission(at('2026-01-01'));
    expect(ownRates).toEqual({ count: before.count + 1, more: false });
  });
});
