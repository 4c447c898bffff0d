import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import type { Query } from '#platform/db/database.ts';
import { NotFound } from '#platform/errors.ts';
import { isUuid } from '#platform/uuid.ts';
import { type FeeSide, feeSides, type ManagedFee, mayManageFees } from './managed.ts';

/**
 * All fees but archived ones, the newest first, those of the same age in the order of a price.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function managedFees(ctx: Ctx): Promise<ManagedFee[]> {
  authorize(ctx, mayManageFees);
  const rows = await feeRows(ctx.db.q())
    .where('archived_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('position')
    .orderBy('id')
    .execute();
  return rows.map(toManaged);
}

/**
 * One fee, archived or not, and whether a sale has ever been charged it.
 * @throws Unauthenticated, Forbidden for everyone but administrators; NotFound
 */
export async function managedFee(ctx: Ctx, id: string): Promise<ManagedFee & { used: boolean }> {
  authorize(ctx, mayManageFees);
  const row = isUuid(id) ? await feeRows(ctx.db.q()).where('id', '=', id).executeTakeFirst() : undefined;
  if (!row) throw new NotFound();
  return { ...toManaged(row), used: await isUsed(ctx.db.q(), id) };
}

/** Whether a sale has ever been charged a fee. */
export const isUsed = async (q: Query, id: string): Promise<boolean> =>
  (await q
    .selectFrom('transaction_fees')
    .select('id')
    .where('service_fee_id', '=', id)
    .limit(1)
    .executeTakeFirst()) !== undefined;

/** The columns of a fee that `toManaged` reads. */
export const feeRows = (q: Query) =>
  q
    .selectFrom('service_fees')
    .select([
      'id',
      'name',
      'fee_type',
      'fixed_cents',
      'percent',
      'applies_to',
      'is_active',
      'position',
      'created_at',
      'archived_at',
    ]);

type FeeRow = Awaited<ReturnType<ReturnType<typeof feeRows>['executeTakeFirstOrThrow']>>;

export const toManaged = (row: FeeRow): ManagedFee => ({
  id: row.id,
  name: row.name,
  type: row.fee_type,
  fixedCents: row.fixed_cents,
  percent: row.percent,
  appliesTo: feeSides.filter((side: FeeSide) => row.applies_to.includes(side)),
  active: row.is_active,
  position: row.position,
  createdAt: row.created_at.toISOString(),
  archivedAt: row.archived_at?.toISOString() ?? null,
});
