import { sql } from 'kysely';
import { LIVE_SALE } from '#features/ledger/model.ts';
import type { SaleRow } from '#features/sales/sale-row.ts';
import type { Ctx } from '#platform/context.ts';

/** The condition of a live sale, for queries of `property_sales`. */
export const isLive = sql.raw<boolean>(LIVE_SALE);

/** The live sale of a property; a unique index allows no second one. */
export const liveSale = (ctx: Ctx, propertyId: string): Promise<SaleRow | undefined> =>
  ctx.db
    .q()
    .selectFrom('property_sales')
    .selectAll()
    .where('property_id', '=', propertyId)
    .where(isLive)
    .executeTakeFirst();
