import { readOrNull } from '#app/read-or.ts';
import { nullWhenGone } from '#app/when-gone.ts';
import { recordHistory } from '#features/audit/reads.ts';
import { evidencePreview } from '#features/disputes/reads.ts';
import { saleDetails } from '#features/transactions/reads.ts';
import type { CtxWith } from '#gateways/ports.ts';

/** The sale that a URL opens, its history and its dialog; null for none, and without `sale` for one that is not there. */
export async function loadDrawer(ctx: CtxWith<'payouts'>, params: URLSearchParams) {
  const id = params.get('sale');
  if (id === null) return null;
  const dialog = params.get('do');
  const disputeId = params.get('dispute');
  const [sale, history, evidence] = await Promise.all([
    nullWhenGone(saleDetails(ctx, { saleId: id })),
    readOrNull(ctx, () =>
      recordHistory(ctx, { entity: 'property_sale', entityId: id, before: params.get('before') }),
    ),
    dialog === 'answer_dispute' && disputeId
      ? readOrNull(ctx, () => nullWhenGone(evidencePreview(ctx, { disputeId })))
      : null,
  ]);
  return { id, sale, history, dialog, disputeId, evidence };
}

export type LoadedDrawer = Awaited<ReturnType<typeof loadDrawer>>;
