import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#platform/context.ts';
import { administrators } from './administrators.ts';
import type { PayoutRun, PlannedPayout, RunResult, RunStatus } from './model.ts';
import { refusedBecause } from './refused-because.ts';

/** Results of a run that are told one by one. */
const MOST_RESULTS = 100;

interface RunRow {
  id: string;
  origin: PayoutRun['origin'];
  status: RunStatus;
  payout_count: number;
  total_cents: number;
  requested_by: string | null;
  schedule_set_by: string | null;
  requester: string | null;
  requested_at: Date;
  approver_id: string | null;
  approver: string | null;
  expires_at: Date | null;
  decider: string | null;
  decline_reason: string | null;
  finished_at: Date | null;
  started: number;
  refused: number;
  waiting: number;
}

/** The runs that SQL over `r` selects, with how far they are. */
export async function runsWhere(ctx: Ctx, condition: RawBuilder<unknown>): Promise<PayoutRun[]> {
  const { rows } = await sql<RunRow>`
    select r.*, requester.name as requester, approver.name as approver, decider.name as decider,
      items.started, items.refused, items.waiting
    from payout_runs r
      left join users requester on requester.id = r.requested_by
      left join users approver on approver.id = r.approver_id
      left join users decider on decider.id = r.decided_by
      cross join lateral (select count(*) filter (where i.status = 'started')::integer as started,
        count(*) filter (where i.status = 'refused')::integer as refused,
        count(*) filter (where i.status = 'waiting')::integer as waiting
        from payout_run_items i where i.run_id = r.id) items
    where ${condition}`.execute(ctx.db.q());
  return Promise.all(rows.map((row) => runFrom(ctx, row)));
}

const person = (id: string | null, name: string | null) => (id === null ? null : { id, name: name ?? '' });

async function runFrom(ctx: Ctx, row: RunRow): Promise<PayoutRun> {
  const waits = row.status === 'awaiting_approval';
  return {
    id: row.id,
    origin: row.origin,
    status: row.status,
    count: row.started + row.refused + row.waiting,
    totalCents: row.total_cents,
    requestedBy: person(row.requested_by, row.requester),
    requestedAt: row.requested_at.toISOString(),
    asked: person(row.approver_id, row.approver),
    approvers: waits ? await administrators(ctx, { except: row.requested_by ?? row.schedule_set_by }) : [],
    expiresAt: row.expires_at?.toISOString() ?? null,
    decidedBy: row.decider,
    declineReason: row.decline_reason,
    finishedAt: row.finished_at?.toISOString() ?? null,
    done: row.started + row.refused,
    started: row.started,
    refused: row.refused,
    results: row.refused > 0 ? await refusalsOf(ctx, row.id) : [],
  };
}

async function refusalsOf(ctx: Ctx, runId: string): Promise<RunResult[]> {
  const rows = await ctx.db
    .q()
    .selectFrom('payout_run_items as i')
    .innerJoin('property_sales as s', 's.id', 'i.sale_id')
    .innerJoin('properties as p', 'p.id', 's.property_id')
    .innerJoin('agents as a', 'a.id', 'i.agent_id')
    .select(['i.sale_id', 'i.amount_cents', 'i.refusal', 'i.refused_until', 'a.name', 'p.address'])
    .where('i.run_id', '=', runId)
    .where('i.status', '=', 'refused')
    .orderBy('i.position')
    .limit(MOST_RESULTS)
    .execute();
  return rows.map(({ sale_id, amount_cents, refusal, refused_until, name, address }) => ({
    saleId: sale_id,
    seller: name,
    address,
    amountCents: amount_cents,
    why: refusedBecause(refusal ?? '', { sellerName: name, saleId: sale_id, until: refused_until }),
  }));
}

/** What a run pays, in its order, as it was asked for; without what was left out. */
export async function payoutsOfRun(ctx: Ctx, runId: string): Promise<PlannedPayout[]> {
  const rows = await ctx.db
    .q()
    .selectFrom('payout_run_items as i')
    .innerJoin('property_sales as s', 's.id', 'i.sale_id')
    .innerJoin('properties as p', 'p.id', 's.property_id')
    .innerJoin('agents as a', 'a.id', 'i.agent_id')
    .select([
      'i.sale_id',
      'i.agent_id',
      'i.method',
      'i.amount_cents',
      'i.withheld_cents',
      'a.name',
      'p.address',
    ])
    .where('i.run_id', '=', runId)
    .where('i.status', 'in', ['waiting', 'started'])
    .orderBy('i.position')
    .execute();
  return rows.map(({ sale_id, agent_id, method, amount_cents, withheld_cents, name, address }) => ({
    saleId: sale_id,
    seller: { id: agent_id, name },
    address,
    method,
    amountCents: amount_cents,
    withheldCents: withheld_cents,
  }));
}
