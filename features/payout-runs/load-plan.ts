import { sql } from 'kysely';
import { debtsOf } from '#features/payouts/debts.ts';
import { isRightMode } from '#features/payouts/rules.ts';
import { payoutApprovalCents } from '#features/settings/reads.ts';
import { setting } from '#features/settings/setting.ts';
import type { CtxWith } from '#gateways/ports.ts';
import type { Ctx } from '#platform/context.ts';
import { administrators } from './administrators.ts';
import type { HeldReason, Obstacle, RunMethod, RunPlan } from './model.ts';
import { planPayouts, type Selected, totalOf } from './plan.ts';
import { TYPED_TOTAL_ABOVE_CENTS } from './rules.ts';
import {
  heldBecause,
  isInRun,
  methodOf,
  obstacleOf,
  oldestFirst,
  owedForSale,
  type PayableAt,
  riskHoldUntil,
} from './sql.ts';

/** What the lists and plans ask the database with. */
export const payableAt = async (ctx: Ctx): Promise<PayableAt> => ({
  days: await setting(ctx, 'payout_hold_days'),
  now: ctx.now(),
});

/** What a run of these sales would pay, as everything is now; sales that do not exist are left out. */
export async function loadPlan(ctx: CtxWith<'payouts'>, saleIds: readonly string[]): Promise<RunPlan> {
  return withLimits(ctx, await planOf(ctx, saleIds), actorId(ctx));
}

/** Payouts that no provider carries, together. */
export interface ByHand {
  count: number;
  /** cents */
  totalCents: number;
}

/**
 * What the schedule, which `setBy` has set, would pay of these sales: what a provider carries. What is made by hand is left to
 * administrators.
 */
export async function loadScheduledPlan(
  ctx: CtxWith<'payouts'>,
  saleIds: readonly string[],
  setBy: string | null = null,
): Promise<{ plan: RunPlan; byHand: ByHand }> {
  const { payouts } = await planOf(ctx, saleIds);
  const carried = payouts.filter(({ method }) => method !== 'manual');
  const byHand = payouts.filter(({ method }) => method === 'manual');
  return {
    plan: await withLimits(ctx, { payouts: carried, refused: [], totalCents: totalOf(carried) }, setBy),
    byHand: { count: byHand.length, totalCents: totalOf(byHand) },
  };
}

async function planOf(ctx: CtxWith<'payouts'>, saleIds: readonly string[]) {
  const selected = await selectedSales(ctx, saleIds);
  const debts = await debtsOf(ctx, [...new Set(selected.map(({ seller }) => seller.id))]);
  return planPayouts(selected, debts, (method) => portOf(ctx, method) === null);
}

const portOf = (ctx: CtxWith<'payouts'>, method: RunMethod | null) =>
  method === null || method === 'manual' ? null : ctx.payouts.forMethod(method);

async function withLimits(
  ctx: Ctx,
  plan: Pick<RunPlan, 'payouts' | 'refused' | 'totalCents'>,
  asker: string | null,
): Promise<RunPlan> {
  const limit = await payoutApprovalCents(ctx);
  const needsApproval = limit !== null && plan.totalCents > limit;
  return {
    ...plan,
    typed: plan.totalCents > TYPED_TOTAL_ABOVE_CENTS,
    approvalLimitCents: needsApproval ? limit : null,
    approvers: needsApproval ? await administrators(ctx, { except: asker }) : [],
  };
}

const actorId = ({ actor }: Ctx): string | null => (actor.kind === 'user' ? actor.id : null);

interface Row {
  id: string;
  agent_id: string;
  seller: string;
  address: string;
  owed: number;
  method: Selected['method'];
  status: Selected['status'];
  livemode: boolean;
  in_run: boolean;
  held: HeldReason | null;
  until: Date | null;
  obstacle: Obstacle | null;
}

/** In the order in which a run starts their payouts: where a balance does not cover all of them, the newest wait. */
async function selectedSales(ctx: CtxWith<'payouts'>, saleIds: readonly string[]): Promise<Selected[]> {
  const at = await payableAt(ctx);
  const { rows } = await sql<Row>`
    select s.id, s.agent_id, a.name as seller, p.address, ${owedForSale} as owed, ${methodOf} as method,
      s.payout_status as status, s.livemode, ${isInRun} as in_run, ${heldBecause(at)} as held, ${obstacleOf} as obstacle,
      case ${heldBecause(at)} when 'risk_hold' then ${riskHoldUntil(at)} when 'cooling_down' then a.payout_hold_until end as until
    from property_sales s join agents a on a.id = s.agent_id join properties p on p.id = s.property_id
    where s.id = any(${saleIds}::uuid[])
    order by ${oldestFirst}`.execute(ctx.db.q());
  return rows.map(({ id, agent_id, seller, address, owed, livemode, in_run, ...row }) => ({
    saleId: id,
    seller: { id: agent_id, name: seller },
    address,
    owedCents: owed,
    livemode,
    rightMode: isRightMode(ctx.config, livemode, portOf(ctx, row.method)),
    inRun: in_run,
    ...row,
  }));
}
