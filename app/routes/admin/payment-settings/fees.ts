import { readOrNull } from '#app/read-or.ts';
import { nullWhenGone } from '#app/when-gone.ts';
import { recordHistory } from '#features/audit/reads.ts';
import { platformCommission } from '#features/commission/reads.ts';
import { EXAMPLE_CENTS } from '#features/fees/example.ts';
import { managedFee, managedFees } from '#features/fees/reads.ts';
import { agentCommissionCents } from '#features/sales/amounts.ts';
import type { Ctx } from '#platform/context.ts';
import { type FeesQuery, parseFeesQuery } from './fees-query.ts';

/** What the tab Service Fees shows; null for each part that could not be read. */
export async function readFeesTab(ctx: Ctx, params: URLSearchParams) {
  const query = parseFeesQuery(params);
  const [fees, commission, drawer, removed] = await Promise.all([
    readOrNull(ctx, () => managedFees(ctx)),
    readOrNull(ctx, () => readCommission(ctx, query)),
    query.details === null ? null : readOrNull(ctx, () => readDrawer(ctx, query.details ?? '', query.before)),
    query.dialog === 'remove-fee' ? readOrNull(ctx, () => nullWhenGone(managedFee(ctx, query.id))) : null,
  ]);
  return { query, fees, commission, drawer, removed, failed: fees === null || commission === null };
}

export type FeesTabData = Awaited<ReturnType<typeof readFeesTab>>;

async function readCommission(ctx: Ctx, { history }: FeesQuery) {
  const [found, rows] = await Promise.all([
    platformCommission(ctx),
    readOrNull(ctx, () =>
      recordHistory(ctx, { entity: 'commission_setting', entityId: '1', before: history }),
    ),
  ]);
  const sellerShareCents = agentCommissionCents(EXAMPLE_CENTS, found.commission.percent);
  return { ...found, history: rows, sellerShareCents };
}

async function readDrawer(ctx: Ctx, id: string, before: string | null) {
  const fee = await nullWhenGone(managedFee(ctx, id));
  if (!fee) return null;
  const history = await readOrNull(ctx, () =>
    recordHistory(ctx, { entity: 'service_fee', entityId: id, before }),
  );
  return { fee, history };
}
