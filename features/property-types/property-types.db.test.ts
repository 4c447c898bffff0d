import { afterAll, beforeAll, expect, it } from 'vitest';
import { propertyTypes, selectableTypes } from '#features/listings/reads.ts';
import { findType } from '#features/search/rules.ts';
import { invalidateOnChange } from '#platform/cache.ts';
import type { Ctx } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { savePropertyType } from './commands/save-property-type.ts';
import { affectsText } from './display.ts';
import type { PropertyTypeInput } from './model.ts';
import { propertyTypeList, propertyTypeUse } from './reads.ts';
import { propertyTypeMessages } from './rules.ts';

await describeOnDatabase('property types', (open) => {
  let db: Database;
  let ctx: Ctx;
  beforeAll(async () => {
    db = await open();
    await invalidateOnChange(db);
    ctx = testContext(db, { actor: await createUser(db, 'admin') });
  });
  afterAll(() => db.close());

  const add = (name: string, isActive = true) =>
    savePropertyType(ctx, { id: null, base: null, name, isActive });
  async function added(name: string, isActive = true): Promise<number> {
    const result = await add(name, isActive);
    if (!result.ok) throw new Error(`${name} was not added`);
    return result.id;
  }
  const typeOf = async (id: number) => {
    const type = (await propertyTypeList(ctx)).find((one) => one.id === id);
    if (!type) throw new Error('There is no such type');
    return type;
  };
  /** Changes a type as a page that was just loaded does. */
  async function change(id: number, to: Partial<PropertyTypeInput>) {
    const { name, isActive } = await typeOf(id);
    return savePropertyType(ctx, { id, base: { name, isActive }, name, isActive, ...to });
  }

  it('lists all types by name, new ones active', async () => {
    const id = await added('  Boathouse ');
    const types = await propertyTypeList(ctx);
    expect(types.map(({ name }) => name)).toEqual(
      types
        .map(({ name }) => name)
        .toSorted((one, other) => one.toLowerCase().localeCompare(other.toLowerCase())),
    );
    expect(await typeOf(id)).toMatchObject({ name: 'Boathouse', isActive: true });
    const told = await db
      .q()
      .selectFrom('audit_log')
      .select(['action', 'after'])
      .where('entity', '=', 'property_type')
      .where('entity_id', '=', String(id))
      .execute();
    expect(told).toEqual([{ action: 'property_type.create', after: { name: 'Boathouse', isActive: true } }]);
  });

  it('refuses a name that is empty, or taken in any spelling', async () => {
    await added('Lighthouse');
    expect(await add('   ')).toEqual({
      ok: false,
      reason: 'invalid',
      errors: { name: propertyTypeMessages.empty },
    });
    for (const name of ['Lighthouse', ' LIGHTHOUSE  ', 'lightHouse'])
      expect(await add(name)).toEqual({
        ok: false,
        reason: 'invalid',
        errors: { name: 'A property type with this name already exists' },
      });
    const other = await added('Watermill');
    expect(await change(other, { name: 'lighthouse' })).toMatchObject({ ok: false, reason: 'invalid' });
    expect(await change(other, { name: 'WaterMill' })).toMatchObject({ ok: true });
  });

  it('gives one of two equal names that are added at once', async () => {
    const results = await Promise.all([add('Windmill'), add('windmill'), add('WINDMILL')]);
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
  });

  it('finds a renamed type by its former address', async () => {
    const id = await added('Cabin');
    await change(id, { name: 'Log Cabin' });
    const types = await propertyTypes(ctx);
    expect(types.find((type) => type.id === id)).toMatchObject({ name: 'Log Cabin', slug: 'log-cabin' });
    expect(findType('cabin', types)?.id).toBe(id);
    await change(id, { name: 'Cabin' });
    expect(findType('log-cabin', await propertyTypes(ctx))?.id).toBe(id);
  });

  it('counts the properties of a type by status, without deleted ones', async () => {
    const seller = await createUser(db, 'agent');
    const id = await added('Treehouse');
    for (const status of ['Active', 'Active', 'Sold', 'pending'] as const)
      await createListing(db, seller.agentId, { type_id: id, status });
    await createListing(db, seller.agentId, { type_id: id, deleted_at: new Date() });
    const use = await propertyTypeUse(ctx, id);
    expect(use.total).toEqual({ count: 4, more: false });
    expect(affectsText(use)).toBe('Affects 4 properties: 2 Active, 1 Pending, 1 Sold');
    expect(affectsText(await propertyTypeUse(ctx, await added('Igloo')))).toBe('Affects 0 properties');
  });

  it('cannot be chosen anymore once it is switched off, but by the listings that keep it', async () => {
    const id = await added('Yurt');
    expect((await propertyTypes(ctx)).some((type) => type.id === id)).toBe(true);
    expect(await change(id, { isActive: false })).toEqual({ ok: true, id });
    expect((await propertyTypes(ctx)).some((type) => type.id === id)).toBe(false);
    expect((await selectableTypes(ctx, null)).some((type) => type.id === id)).toBe(false);
    expect((await selectableTypes(ctx, id)).some((type) => type.id === id)).toBe(true);
  });

  it('is told when somebody else has changed the type meanwhile', async () => {
    const id = await added('Barge');
    const { name, isActive } = await typeOf(id);
    await change(id, { name: 'Houseboat' });
    expect(
      await savePropertyType(ctx, { id, base: { name, isActive }, name: 'Narrowboat', isActive }),
    ).toEqual({ ok: false, reason: 'newer', current: { name: 'Houseboat', isActive: true } });
    // What is wanted stands already.
    expect(
      await savePropertyType(ctx, { id, base: { name, isActive }, name: 'Houseboat', isActive }),
    ).toEqual({ ok: true, id });
  });

  it('keeps the last active type, also when all are switched off at once', async () => {
    const active = (await propertyTypeList(ctx)).filter((type) => type.isActive);
    const results = await Promise.all(active.map(({ id }) => change(id, { isActive: false })));
    expect(results.filter(({ ok }) => !ok)).toEqual([
      { ok: false, reason: 'invalid', errors: { active: propertyTypeMessages.lastActive } },
    ]);
    expect((await propertyTypeList(ctx)).filter((type) => type.isActive)).toHaveLength(1);
  });
});
