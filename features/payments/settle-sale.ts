import type { SaleRow } from '#features/sales/sale-row.ts';
import { asSystem, type Ctx } from '#platform/context.ts';
import { Draft } from './draft.ts';
import { loadImage } from './load-image.ts';
import { planSettlement } from './plan-settlement.ts';
import { writeChanges } from './write-changes.ts';

/** Ends a locked sale as refunded in the current transaction, if nothing of its payment is left. */
export async function settleSale(ctx: Ctx, sale: SaleRow): Promise<void> {
  const system = asSystem(ctx, 'payments');
  const draft = new Draft(await loadImage(system, sale, false));
  planSettlement(draft);
  await writeChanges(system, { sale, ...draft });
}
