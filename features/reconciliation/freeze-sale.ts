import { factsOf, lockSale } from '#features/sales/sale-row.ts';
import { transitionSale } from '#features/sales/transition-sale.ts';
import { asSystem, type Ctx } from '#platform/context.ts';

/** Freezes a sale whose money is in doubt, in the current transaction: nothing is released while it lasts. */
export async function freezeSale(ctx: Ctx, saleId: string, note: string): Promise<void> {
  const sale = await lockSale(ctx, saleId);
  if (sale && sale.frozen_at === null)
    await transitionSale(asSystem(ctx, 'reconciliation'), { sale, event: 'freeze_sale', by: 'system', note });
}

/** Unfreezes a sale in the current transaction, unless another break or a dispute still holds it: then its parties hear nothing yet. */
export async function unfreezeSale(ctx: Ctx, saleId: string, note: string): Promise<void> {
  const sale = await lockSale(ctx, saleId);
  if (sale && sale.frozen_at !== null && (await factsOf(ctx, sale)).frozenBy === 0)
    await transitionSale(ctx, {
      sale,
      event: 'unfreeze_sale',
      by: ctx.actor.kind === 'user' ? 'admin' : 'system',
      note,
    });
}
