import { sql } from 'kysely';
import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { invalidate } from '#platform/cache.ts';
import type { Ctx } from '#platform/context.ts';
import { takeLock } from '#platform/db/locks.ts';
import { NotFound } from '#platform/errors.ts';
import type { PropertyTypeInput, SavePropertyTypeResult } from '../model.ts';
import {
  cleanTypeName,
  mayManagePropertyTypes,
  propertyTypeMessages,
  slugFor,
  typeNameProblem,
} from '../rules.ts';

interface SaveInput extends PropertyTypeInput {
  /** null creates a type */
  id: number | null;
  /** the type as the page showed it; null for a new one */
  base: PropertyTypeInput | null;
}

/**
 * Creates or changes a property type. A name that changes takes its address along: the former one still finds the type. The
 * last active type stays active. Navigation and filters of every process follow by the cache's own announcement.
 * @throws Unauthenticated, Forbidden for everyone but administrators; NotFound
 */
export async function savePropertyType(ctx: Ctx, input: SaveInput): Promise<SavePropertyTypeResult> {
  authorize(ctx, mayManagePropertyTypes);
  const wanted = { name: cleanTypeName(input.name), isActive: input.isActive };
  const problem = typeNameProblem(wanted.name);
  if (problem) return invalid('name', problem);
  const result = await ctx.db.tx(() => save(ctx, input, wanted));
  if (result.ok) invalidate(ctx.db, 'property_types');
  return result;
}

async function save(
  ctx: Ctx,
  { id, base }: SaveInput,
  wanted: PropertyTypeInput,
): Promise<SavePropertyTypeResult> {
  const types = await lockTypes(ctx, wanted.name);
  const others = types.filter((type) => type.id !== id);
  const isTaken = others.some(({ same_name }) => same_name);
  const isLast = !wanted.isActive && !others.some((type) => type.is_active);
  if (id === null) {
    if (isTaken) return invalid('name', propertyTypeMessages.taken);
    return create(ctx, wanted, slugFor(wanted.name, slugsOf(others)));
  }
  const current = types.find((type) => type.id === id);
  if (!current) throw new NotFound('Property type not found');
  const before = { name: current.name, isActive: current.is_active };
  if (base && !isSame(base, before) && !isSame(wanted, before))
    return { ok: false, reason: 'newer', current: before };
  if (isTaken) return invalid('name', propertyTypeMessages.taken);
  if (isLast) return invalid('active', propertyTypeMessages.lastActive);
  if (isSame(wanted, before)) return { ok: true, id };
  const slug = wanted.name === before.name ? current.slug : slugFor(wanted.name, slugsOf(others));
  const former = new Set([...current.old_slugs, current.slug]);
  former.delete(slug);
  await ctx.db
    .q()
    .updateTable('property_types')
    .set({ name: wanted.name, is_active: wanted.isActive, slug, old_slugs: [...former] })
    .where('id', '=', id)
    .execute();
  await audit(ctx, {
    action: 'property_type.change',
    entity: 'property_type',
    entityId: String(id),
    before,
    after: wanted,
  });
  return { ok: true, id };
}

/**
 * All types, none of which anybody else changes or adds until the transaction ends: names and the last active type are
 * decided on all of them. Listings of a type are still written meanwhile.
 */
async function lockTypes(ctx: Ctx, name: string) {
  const q = ctx.db.q();
  await takeLock(ctx, 'property types');
  return (
    q
      .selectFrom('property_types')
      .select(['id', 'name', 'slug', 'old_slugs', 'is_active'])
      // As the unique index compares them.
      .select(sql<boolean>`lower(trim(name)) = lower(trim(${name}))`.as('same_name'))
      .orderBy('id')
      .forNoKeyUpdate()
      .execute()
  );
}

const slugsOf = (types: readonly { slug: string; old_slugs: string[] }[]) =>
  new Set(types.flatMap(({ slug, old_slugs }) => [slug, ...old_slugs]));

async function create(ctx: Ctx, wanted: PropertyTypeInput, slug: string): Promise<SavePropertyTypeResult> {
  const { id } = await ctx.db
    .q()
    .insertInto('property_types')
    .values({ name: wanted.name, is_active: wanted.isActive, slug })
    .returning('id')
    .executeTakeFirstOrThrow();
  await audit(ctx, {
    action: 'property_type.create',
    entity: 'property_type',
    entityId: String(id),
    after: wanted,
  });
  return { ok: true, id };
}

const isSame = (one: PropertyTypeInput, other: PropertyTypeInput): boolean =>
  one.name === other.name && one.isActive === other.isActive;

const invalid = (field: 'name' | 'active', message: string): SavePropertyTypeResult => ({
  ok: false,
  reason: 'invalid',
  errors: { [field]: message },
});
