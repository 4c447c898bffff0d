import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { TooManyRequests, Unauthenticated } from '#platform/errors.ts';
import { untilItWaits } from '#tests/support/database/held-statement.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testConfig, testContext } from '#tests/support/fixtures/context.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { admitApiKey } from './commands/admit-api-key.ts';
import { createApiKey } from './commands/create-api-key.ts';
import { revokeApiKey } from './commands/revoke-api-key.ts';
import { MAX_KEYS } from './model.ts';

await describeOnDatabase('API keys', (open, kind) => {
  let db: Database;
  let seller: UserActor;
  let other: UserActor;
  const config = { ...testConfig, relaxedLimits: true };
  beforeAll(async () => {
    db = await open();
  });
  beforeEach(async () => {
    [seller, other] = await Promise.all([createUser(db, 'agent'), createUser(db, 'agent')]);
  });
  afterAll(() => db.close());

  const create = (actor: UserActor, name: string) =>
    createApiKey(testContext(db, { actor, config }), { name, scopes: ['listings'], perMinute: '60' });
  const workingOf = async ({ id }: UserActor) => {
    const keys = await db
      .q()
      .selectFrom('api_keys')
      .select('name')
      .where('owner_id', '=', id)
      .where('revoked_at', 'is', null)
      .orderBy('name')
      .execute();
    return keys.map(({ name }) => name);
  };
  const nameTaken = { ok: false, reason: 'invalid', errors: { name: 'You have an API key of this name.' } };

  it('have a name of their own among the working ones of their owner, whatever others call theirs', async () => {
    const first = await create(seller, 'Website');
    expect(first).toMatchObject({ ok: true });
    await expect(create(seller, 'WEBSITE')).resolves.toEqual(nameTaken);
    expect(await create(other, 'Website')).toMatchObject({ ok: true });
    if (!first.ok) return;
    await revokeApiKey(testContext(db, { actor: seller, config }), { keyId: first.id });
    expect(await create(seller, 'Website')).toMatchObject({ ok: true });
    expect(await workingOf(seller)).toEqual(['Website']);
  });

  it('are one when a form is sent several times in one moment', async () => {
    const results = await Promise.all(Array.from({ length: 5 }, () => create(seller, 'Twice')));
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    expect(results.filter(({ ok }) => !ok)).toEqual(Array.from({ length: 4 }, () => nameTaken));
    expect(await workingOf(seller)).toEqual(['Twice']);
  });

  it(`are at most ${MAX_KEYS} of an owner, and those of others do not count`, async () => {
    for (let at = 0; at < MAX_KEYS; at += 1) await create(other, `Key ${at}`);
    expect(await create(seller, 'First')).toMatchObject({ ok: true });
    expect(await create(other, 'One more')).toEqual({ ok: false, reason: 'too_many' });
    expect(await workingOf(other)).toHaveLength(MAX_KEYS);
  });

  it('that are none are asked for at most sixty times a minute from one address', async () => {
    const first = await create(seller, 'Website');
    if (!first.ok) throw new Error(first.reason);
    const from = { ...testContext(db), ip: '198.51.100.41' };
    for (let at = 0; at < 60; at += 1)
      await expect(admitApiKey(from, { secret: `no key ${at}` })).rejects.toThrow(Unauthenticated);
    await expect(admitApiKey(from, { secret: 'no key' })).rejects.toThrow(TooManyRequests);
    // Whoever has an IPv6 address has its whole network.
    const network = (at: number) => ({ ...testContext(db), ip: `2001:db8:9:8::${at}` });
    for (let at = 0; at < 60; at += 1)
      await expect(admitApiKey(network(at), { secret: 'no key' })).rejects.toThrow(Unauthenticated);
    await expect(admitApiKey(network(60), { secret: 'no key' })).rejects.toThrow(TooManyRequests);
    // Whoever has a key is not kept out by others of the same address.
    expect(await admitApiKey(from, { secret: first.secret })).toMatchObject({ agentId: seller.agentId });
  });

  // The embedded database has one session, which the holder has.
  it.skipIf(kind === 'embedded')('are made while something else holds another owner', async () => {
    const [held, letGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holder = db.tx(async () => {
      await db.q().selectFrom('users').select('id').where('id', '=', other.id).forUpdate().execute();
      held.resolve();
      await letGo.promise;
    });
    await held.promise;
    let made = false;
    const making = create(seller, 'Website').then(() => {
      made = true;
    });
    await untilItWaits(db, making);
    expect(made).toBe(true);
    letGo.resolve();
    await Promise.all([holder, making]);
  });
});
