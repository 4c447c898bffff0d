import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { Forbidden } from '#platform/errors.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testConfig, testContext } from '#tests/support/fixtures/context.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { deleteQuickReply } from './commands/delete-quick-reply.ts';
import { saveQuickReply } from './commands/save-quick-reply.ts';
import { MAX_QUICK_REPLIES } from './model.ts';
import { quickReplies } from './reads.ts';
import { fillReply } from './rules.ts';

await describeOnDatabase('quick replies', (open) => {
  let db: Database;
  const config = { ...testConfig, relaxedLimits: true };
  const as = (actor: UserActor) => testContext(db, { actor, config });
  const add = (seller: UserActor, name: string, text = 'Yes.') =>
    saveQuickReply(as(seller), { of: null, name, text });
  beforeAll(async () => {
    db = await open();
  });
  afterAll(() => db.close());

  it('are checked, listed by name, changed and deleted', async () => {
    const seller = await createUser(db, 'agent');
    expect(await add(seller, ' ', '')).toEqual({
      ok: false,
      reason: 'invalid',
      errors: { name: 'Name is required', text: 'Text is required' },
    });
    expect(await add(seller, 'x'.repeat(61), 'y'.repeat(2001))).toMatchObject({
      errors: {
        name: 'Name must be at most 60 characters',
        text: 'Text must be at most 2,000 characters',
      },
    });
    expect(await add(seller, 'Viewing')).toEqual({ ok: true });
    expect(await add(seller, ' available ', 'Yes, it is.')).toEqual({ ok: true });
    await expect(add(seller, 'VIEWING')).resolves.toMatchObject({
      errors: { name: 'You have a quick reply of this name.' },
    });
    const [available, viewing] = await quickReplies(as(seller));
    if (!available || !viewing) throw new Error('two quick replies were added');
    expect(available).toMatchObject({ name: 'available', text: 'Yes, it is.', version: 1 });
    expect(await saveQuickReply(as(seller), { of: viewing, name: 'Available', text: 'No.' })).toMatchObject({
      reason: 'invalid',
    });
    expect(await saveQuickReply(as(seller), { of: viewing, name: 'Visit', text: 'On Sunday.' })).toEqual({
      ok: true,
    });
    expect((await quickReplies(as(seller))).map(({ name, text, version }) => [name, text, version])).toEqual([
      ['available', 'Yes, it is.', 1],
      ['Visit', 'On Sunday.', 2],
    ]);
    await deleteQuickReply(as(seller), { id: available.id });
    await deleteQuickReply(as(seller), { id: available.id });
    expect(await saveQuickReply(as(seller), { of: available, name: 'A', text: 'B' })).toEqual({
      ok: false,
      reason: 'gone',
    });
    await expect(
      saveQuickReply(as(seller), { of: { id: 'made up', version: 1 }, name: 'A', text: 'B' }),
    ).resolves.toEqual({ ok: false, reason: 'gone' });
    expect((await quickReplies(as(seller))).map(({ name }) => name)).toEqual(['Visit']);
    const rows = await db
      .q()
      .selectFrom('audit_log')
      .select('action')
      .where('actor_id', '=', seller.id)
      .where('action', 'like', 'quick_reply.%')
      .orderBy('id')
      .execute();
    expect(rows.map(({ action }) => action)).toEqual([
      'quick_reply.add',
      'quick_reply.add',
      'quick_reply.change',
      'quick_reply.delete',
    ]);
  });

  it('of others are not seen, changed or deleted; a suspended seller changes none', async () => {
    const [seller, other] = await Promise.all([createUser(db, 'agent'), createUser(db, 'agent')]);
    await add(seller, 'Mine');
    const [mine] = await quickReplies(as(seller));
    if (!mine) throw new Error('one quick reply was added');
    expect(await quickReplies(as(other))).toEqual([]);
    expect(await saveQuickReply(as(other), { of: mine, name: 'Stolen', text: 'x' })).toMatchObject({
      reason: 'gone',
    });
    await deleteQuickReply(as(other), { id: mine.id });
    const suspended = as({ ...seller, suspended: true });
    await expect(saveQuickReply(suspended, { of: mine, name: 'A', text: 'B' })).rejects.toThrow(Forbidden);
    await expect(deleteQuickReply(suspended, { id: mine.id })).rejects.toThrow(Forbidden);
    expect(await quickReplies(suspended)).toEqual([mine]);
  });

  it('changed in two tabs are not replaced unseen', async () => {
    const seller = await createUser(db, 'agent');
    await add(seller, 'Garden');
    const [shown] = await quickReplies(as(seller));
    if (!shown) throw new Error('one quick reply was added');
    const save = (text: string, version = shown.version) =>
      saveQuickReply(as(seller), { of: { id: shown.id, version }, name: 'Garden', text });
    const results = await Promise.all([save('Large.'), save('Small.')]);
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    const [current] = await quickReplies(as(seller));
    expect(results).toContainEqual({ ok: false, reason: 'newer', current });
    expect(await save('Medium.', 2)).toEqual({ ok: true });
    // The same form once more, because its answer was lost.
    expect(await save('Medium.', 2)).toEqual({ ok: true });
    expect(await quickReplies(as(seller))).toMatchObject([{ text: 'Medium.', version: 3 }]);
    expect(await save('Tiny.', Number.NaN)).toMatchObject({ reason: 'newer', current: { version: 3 } });
  });

  it('are kept from a buyer who was a seller before', async () => {
    const former: UserActor = { ...(await createUser(db, 'agent')), role: 'buyer' };
    await expect(quickReplies(as(former))).rejects.toThrow(Forbidden);
    await expect(add(former, 'Viewing')).rejects.toThrow(Forbidden);
    await expect(deleteQuickReply(as(former), { id: randomUUID() })).rejects.toThrow(Forbidden);
  });

  it('are added once, however often the form is sent because its answer was lost', async () => {
    const seller = await createUser(db, 'agent');
    expect(await add(seller, 'Parking', 'Two spaces.')).toEqual({ ok: true });
    expect(await add(seller, 'Parking', 'Two spaces.')).toEqual({ ok: true });
    expect(await add(seller, 'Parking', 'One space.')).toMatchObject({ reason: 'invalid' });
    expect(await quickReplies(as(seller))).toMatchObject([{ text: 'Two spaces.', version: 1 }]);
  });

  it('are limited, also when they come at the same time', async () => {
    const seller = await createUser(db, 'agent');
    const results = await Promise.all(
      Array.from({ length: MAX_QUICK_REPLIES + 3 }, (_, index) => add(seller, `Reply ${index}`)),
    );
    expect(results.filter(({ ok }) => !ok)).toEqual(Array(3).fill({ ok: false, reason: 'too_many' }));
    expect(await quickReplies(as(seller))).toHaveLength(MAX_QUICK_REPLIES);
    const twins = await createUser(db, 'agent');
    const sent = await Promise.all([add(twins, 'Once'), add(twins, 'once')]);
    expect(sent.filter(({ ok }) => ok)).toHaveLength(1);
  });
});

it('a quick reply names the buyer and the property, and leaves everything else', () => {
  const parties = { buyer: 'Ann {property} $&', property: '1 Elm $1' };
  expect(fillReply({ text: 'Dear {buyer}, {Property} is free. {seller} {}' }, parties)).toBe(
    'Dear Ann {property} $&, 1 Elm $1 is free. {seller} {}',
  );
});
