import { sql } from 'kysely';
import type { PropertyStatus } from '#features/listings/model.ts';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { COUNT_LIMIT } from '#platform/counts.ts';
import { NotFound } from '#platform/errors.ts';
import type { PropertyTypeRow, TypeUse } from './model.ts';
import { mayManagePropertyTypes } from './rules.ts';

/**
 * All property types by name, inactive ones included.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function propertyTypeList(ctx: Ctx): Promise<PropertyTypeRow[]> {
  authorize(ctx, mayManagePropertyTypes);
  const rows = await ctx.db
    .q()
    .selectFrom('property_types')
    .select(['id', 'name', 'is_active', 'created_at', 'updated_at'])
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    isActive: row.is_active,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }));
}

/**
 * How many properties have a type, by status; each count is exact up to `COUNT_LIMIT`, so that the largest type costs no more.
 * @throws Unauthenticated, Forbidden for everyone but administrators; NotFound
 */
export async function propertyTypeUse(ctx: Ctx, id: number): Promise<TypeUse> {
  authorize(ctx, mayManagePropertyTypes);
  // One lateral count for each status of the index on type and status.
  const { rows } = await sql<{ status: PropertyStatus | null; count: number }>`
    select s.status, coalesce(counted.count, 0)::integer as count from property_types t
      left join unnest(array['Active', 'pending', 'changes_requested', 'escrow', 'Sold', 'rejected', 'withdrawn'])
        with ordinality s (status, at) on true
      cross join lateral (select count(*) from (select from properties p
        where p.type_id = t.id and p.status = s.status and p.deleted_at is null limit ${COUNT_LIMIT + 1}) rows) counted
    where t.id = ${id} order by s.at`.execute(ctx.db.q());
  if (rows.length === 0) throw new NotFound('Property type not found');
  const sum = rows.reduce((before, { count }) => before + count, 0);
  const bounded = (count: number) => ({ count: Math.min(count, COUNT_LIMIT), more: count > COUNT_LIMIT });
  return {
    total: bounded(sum),
    byStatus: rows.flatMap(({ status, count }) =>
      status === null || count === 0 ? [] : [{ status, ...bounded(count) }],
    ),
  };
}
