import { readOrNull } from '#app/read-or.ts';
import { recordHistory } from '#features/audit/reads.ts';
import { payoutScheduleState } from '#features/payout-schedule/reads.ts';
import type { ServerCtx } from '#gateways/ports.ts';

/** What the tab Payout Schedule shows; null for each part that could not be read. */
export async function readScheduleTab(ctx: ServerCtx, params: URLSearchParams) {
  const [schedule, history] = await Promise.all([
    readOrNull(ctx, () => payoutScheduleState(ctx)),
    readOrNull(ctx, () =>
      recordHistory(ctx, {
        entity: 'platform_setting',
        entityId: ['payout_schedule', 'payout_approval_cents'],
        before: params.get('history'),
      }),
    ),
  ]);
  return { schedule, history, failed: schedule === null };
}

export type ScheduleTabData = Awaited<ReturnType<typeof readScheduleTab>>;
