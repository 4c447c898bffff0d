import type { Ctx } from '#platform/context.ts';

/** Freezes a sale whose money is in doubt, in the current transaction: nothing is released while it lasts. */
export async function freezeSale(ctx: Ctx, saleId: string): Promise<void> {
  await ctx.db
    .q()
    .updateTable('property_sales')
    .set({ frozen_at: ctx.now() })
    .where('id', '=', saleId)
    .where('frozen_at', 'is', null)
    .execute();
}

/** Unfreezes a sale in the current transaction, unless another break or a dispute still holds it. */
export async function unfreezeSale(ctx: Ctx, saleId: string): Promise<void> {
  await ctx.db
    .q()
    .updateTable('property_sales as s')
    .set({ frozen_at: null })
    .where('s.id', '=', saleId)
    .where((where) =>
      where.not(
        where.or([
          where.exists(
            where
              .selectFrom('breaks as b')
              .select('b.id')
              .whereRef('b.sale_id', '=', 's.id')
              .where('b.freezes', '=', true)
              .where('b.state', '<>', 'resolved'),
          ),
          where.exists(
            where
              .selectFrom('disputes as d')
              .select('d.id')
              .whereRef('d.sale_id', '=', 's.id')
              .where('d.kind', '=', 'chargeback')
              .where('d.status', '=', 'open'),
          ),
        ]),
      ),
    )
    .execute();
}
