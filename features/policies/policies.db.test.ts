import { afterAll, beforeAll, expect, it } from 'vitest';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { NotFound } from '#platform/errors.ts';
import { holdStatement } from '#tests/support/database/held-statement.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { publishPolicy } from './commands/publish-policy.ts';
import { currentPolicy, policyForEditing, policyVersion } from './reads.ts';

await describeOnDatabase('the policies', (open, kind) => {
  let db: Database;
  let admin: UserActor;
  let other: UserActor;
  beforeAll(async () => {
    db = await open();
    admin = await createUser(db, 'admin');
    other = await createUser(db, 'admin');
  });
  afterAll(() => db.close());
  const ctx = (actor = admin) => testContext(db, { actor });
  const publish = (body: string, base: number, actor = admin, database = db) =>
    publishPolicy(testContext(database, { actor }), { kind: 'terms', body, base });

  it('have a built-in text until one is published, and keep every version with its date', async () => {
    expect(await currentPolicy(ctx(), 'terms')).toMatchObject({ version: 0, publishedAt: null });
    expect(await publish('Be fair.', 0)).toEqual({ ok: true, version: 1 });
    expect(await publish(' Be fair\r\nand quick. ', 1, other)).toEqual({ ok: true, version: 2 });
    expect(await currentPolicy(ctx(), 'terms')).toEqual({
      version: 2,
      body: 'Be fair\nand quick.',
      publishedAt: '2026-11-20T12:00:00.000Z',
    });
    expect((await policyVersion(ctx(), { kind: 'terms', version: 1 })).body).toBe('Be fair.');
    expect((await policyVersion(ctx(), { kind: 'terms', version: 0 })).publishedAt).toBeNull();
    for (const version of [3, -1, 1.5, Number.NaN, 2 ** 40, -(2 ** 40)])
      await expect(policyVersion(ctx(), { kind: 'terms', version })).rejects.toThrow(NotFound);
    expect((await currentPolicy(ctx(), 'privacy')).version).toBe(0);
    expect((await policyForEditing(ctx(), 'terms')).versions).toMatchObject([
      { version: 2, by: other.name },
      { version: 1, by: admin.name },
    ]);
    const audited = await db
      .q()
      .selectFrom('audit_log')
      .select(['actor_id', 'before', 'after'])
      .where('entity', '=', 'policy')
      .orderBy('id', 'desc')
      .limit(1)
      .execute();
    expect(audited).toEqual([
      {
        actor_id: other.id,
        before: { version: 1, body: 'Be fair.' },
        after: { version: 2, body: 'Be fair\nand quick.' },
      },
    ]);
    await expect(db.pool.query(`update policy_versions set body = 'other'`)).rejects.toThrow('never changed');
    await expect(db.pool.query('delete from policy_versions')).rejects.toThrow('never changed');
  });

  it('are published by one of two who edited the same version', async () => {
    const { version } = await currentPolicy(ctx(), 'terms');
    const results = await Promise.all([publish('One', version), publish('Two', version, other)]);
    expect(results.map((result) => (result.ok ? 'published' : result.reason)).sort()).toEqual([
      'newer',
      'published',
    ]);
    const won = results[0]?.ok ? 'One' : 'Two';
    expect(results.find(({ ok }) => !ok)).toMatchObject({ current: { version: version + 1, body: won } });
    expect((await currentPolicy(ctx(), 'terms')).body).toBe(won);
  });

  it('are published once by a form that is sent again because its answer was lost', async () => {
    const { version } = await currentPolicy(ctx(), 'terms');
    const published = { ok: true, version: version + 1 };
    expect(await publish('Sent twice', version)).toEqual(published);
    expect(await publish('Sent twice', version)).toEqual(published);
    expect((await currentPolicy(ctx(), 'terms')).version).toBe(version + 1);
  });

  it('are published on top of the latest version alone', async () => {
    const { version, body } = await currentPolicy(ctx(), 'terms');
    for (const base of [version - 1, version + 2])
      expect(await publish('Of another version', base)).toMatchObject({ ok: false, current: { version } });
    expect(await currentPolicy(ctx(), 'terms')).toMatchObject({ version, body });
  });

  // The embedded database does one transaction after the other.
  it.runIf(kind === 'server')(
    'are published by the one who commits first, when both have looked before',
    async () => {
      const { version } = await currentPolicy(ctx(), 'terms');
      const held = holdStatement(db, /insert into "policy_versions"/);
      const slow = publish('Slow', version, admin, held.db);
      await held.reached;
      expect(await publish('Quick', version, other)).toEqual({ ok: true, version: version + 1 });
      held.letGo();
      await expect(slow).resolves.toMatchObject({ ok: false, reason: 'newer', current: { body: 'Quick' } });
    },
  );

  it('need a text of at most 40,000 characters that differs', async () => {
    const { version, body } = await currentPolicy(ctx(), 'terms');
    expect(await publish(' \n ', version)).toMatchObject({ error: 'A policy needs a text' });
    expect(await publish('🏡'.repeat(40_001), version)).toMatchObject({
      error: 'A policy can have at most 40,000 characters',
    });
    expect(await publish(body, version)).toEqual({ ok: false, reason: 'unchanged' });
    expect(await publish('🏡'.repeat(40_000), version)).toMatchObject({ ok: true });
  });
});
