import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { checkAudit } from '#features/audit/reads.ts';
import { invalidate } from '#platform/cache.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { NotFound } from '#platform/errors.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { removeFee } from './commands/remove-fee.ts';
import { saveFee } from './commands/save-fee.ts';
import { setFeeActive } from './commands/set-fee-active.ts';
import { feeMessages, feeVersion, type ManagedFee } from './managed.ts';
import { buyerFees, chargedFees, managedFee, managedFees } from './reads.ts';

await describeOnDatabase('administrators manage fees', (open) => {
  let db: Database;
  let admin: UserActor;
  let other: UserActor;
  beforeAll(async () => {
    db = await open();
    admin = await createUser(db, 'admin');
    other = await createUser(db, 'admin');
  });
  beforeEach(async () => {
    for (const { id } of await managedFees(ctx())) await removeFee(ctx(), { id });
  });
  afterAll(() => db.close());

  const ctx = (actor = admin) => testContext(db, { actor });
  const save = (fee: Partial<Parameters<typeof saveFee>[1]>, actor = admin) =>
    saveFee(ctx(actor), {
      id: null,
      name: 'Title Search',
      type: 'percentage',
      amount: '0.350',
      appliesTo: ['buyer'],
      active: true,
      seen: '',
      ...fee,
    });
  /** Adds a fee and returns it as administrators see it. */
  async function added(fee: Partial<Parameters<typeof saveFee>[1]> = {}): Promise<ManagedFee> {
    const result = await save(fee);
    if (!result.ok) throw new Error(JSON.stringify(result));
    return managedFee(ctx(), result.id);
  }
  const names = async () => (await buyerFees(ctx())).map(({ name }) => name);

  it('a fee is on the price as soon as it is saved, and the next ones come after it', async () => {
    await added();
    await added({ name: 'Closing', type: 'fixed', amount: '$495' });
    await added({ name: 'Listing', type: 'fixed', amount: '150', appliesTo: ['seller'] });
    expect(await names()).toEqual(['Title Search', 'Closing']);
    const charged = await chargedFees(ctx());
    expect(charged.seller).toMatchObject([{ name: 'Listing', fixedCents: 150_00 }]);
    expect((await managedFees(ctx())).map(({ name }) => name).toSorted()).toEqual([
      'Closing',
      'Listing',
      'Title Search',
    ]);
  });

  it('names are unique whatever their case and spaces, among those that are not archived', async () => {
    const fee = await added();
    expect(await save({ name: ' title  SEARCH' })).toEqual({
      ok: false,
      reason: 'invalid',
      errors: { name: feeMessages.nameTaken },
    });
    const closing = await added({ name: 'Closing' });
    expect(await save({ id: closing.id, name: 'Title search', seen: feeVersion(closing) })).toMatchObject({
      errors: { name: feeMessages.nameTaken },
    });
    expect(await save({ id: fee.id, name: 'TITLE SEARCH', seen: feeVersion(fee) })).toMatchObject({
      ok: true,
    });
  });

  it('two administrators who add the same name at once make one fee', async () => {
    const results = await Promise.all([save({}), save({}, other)]);
    expect(results.map(({ ok }) => ok).toSorted()).toEqual([false, true]);
  });

  it('the second of two administrators is told what the first has saved, and nothing is lost', async () => {
    const fee = await added();
    const seen = feeVersion(fee);
    const results = await Promise.all([
      save({ id: fee.id, amount: '0.4', seen }),
      save({ id: fee.id, amount: '0.5', seen }, other),
    ]);
    const at = results.findIndex(({ ok }) => ok);
    const percent = [0.4, 0.5][at];
    expect(results[1 - at]).toMatchObject({ reason: 'newer', current: { percent } });
    const current = await managedFee(ctx(), fee.id);
    expect(current.percent).toBe(percent);
    expect(await save({ id: fee.id, amount: '0.6', seen: feeVersion(current) }, other)).toMatchObject({
      ok: true,
    });
  });

  it('a fee is switched off and on once, whoever is faster', async () => {
    const { id } = await added();
    const results = await Promise.all([
      setFeeActive(ctx(), { id, active: false }),
      setFeeActive(ctx(other), { id, active: false }),
    ]);
    expect(results.toSorted((one, two) => Number(two.ok) - Number(one.ok))).toEqual([
      { ok: true },
      { ok: false, reason: 'already' },
    ]);
    expect(await names()).toEqual([]);
    expect(await setFeeActive(ctx(), { id, active: true })).toEqual({ ok: true });
    expect(await names()).toEqual(['Title Search']);
  });

  it('a fee that no sale was charged is deleted, any other archived', async () => {
    const unused = await added();
    expect(await removeFee(ctx(), { id: unused.id })).toEqual({ ok: true, way: 'deleted' });
    expect(await removeFee(ctx(), { id: unused.id })).toEqual({ ok: false, reason: 'gone' });
    for (const id of [unused.id, 'no id']) await expect(managedFee(ctx(), id)).rejects.toThrow(NotFound);
    const late = { id: unused.id, seen: feeVersion(unused) };
    await expect(save(late)).resolves.toEqual({ ok: false, reason: 'gone' });
  });

  it('the history explains every fee there is', async () => {
    const fee = await added();
    await save({ id: fee.id, amount: '2', type: 'fixed', seen: feeVersion(fee) });
    await setFeeActive(ctx(), { id: fee.id, active: false });
    const { findings } = await checkAudit(ctx());
    expect(findings.filter(({ subject }) => subject.startsWith('service fee'))).toEqual([]);
    await removeFee(ctx(), { id: fee.id });
    const rows = await db
      .q()
      .selectFrom('audit_log')
      .select(['action', 'actor_id'])
      .where('entity_id', '=', fee.id)
      .orderBy('id')
      .execute();
    expect(rows).toEqual(
      ['create', 'change', 'deactivate', 'delete'].map((verb) => ({
        action: `service_fee.${verb}`,
        actor_id: admin.id,
      })),
    );
    const after = await checkAudit(ctx());
    expect(after.findings.filter(({ subject }) => subject.startsWith('service fee'))).toEqual([]);
    invalidate(db);
  });

  it('an archived fee is neither listed nor removed, and its name is free', async () => {
    const { id } = await added();
    const archived = { archived_at: new Date(), is_active: false };
    await db.q().updateTable('service_fees').set(archived).where('id', '=', id).execute();
    expect(await managedFees(ctx())).toEqual([]);
    expect(await removeFee(ctx(), { id })).toEqual({ ok: false, reason: 'gone' });
    expect(await save({})).toMatchObject({ ok: true });
    expect(await save({})).toMatchObject({ ok: false, errors: { name: feeMessages.nameTaken } });
  });
});
