import { type NettedPayout, netPayout } from '#features/ledger/claw-back.ts';
import { postEntry } from '#features/ledger/commands/post-entry.ts';
import { offsetPostings, ownOffsetPostings, reservedPostings } from '#features/ledger/payout-postings.ts';
import { askFirst } from '#features/payments/ask-first.ts';
import { lockSale, type SaleRow } from '#features/sales/sale-row.ts';
import { transitionSale } from '#features/sales/transition-sale.ts';
import { askForMoneyBack } from '#features/seller-shares/take-back.ts';
import { payoutHoldDays } from '#features/settings/reads.ts';
import type { PayoutSource, PayoutsPort } from '#gateways/payouts/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import { requireFreshProof } from '#platform/auth/fresh-proof.ts';
import { asSystem, type Ctx } from '#platform/context.ts';
import { MINUTE } from '#platform/durations.ts';
import { NotFound } from '#platform/errors.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { isUuid } from '#platform/uuid.ts';
import { endPayout } from '../apply-payout.ts';
import { noteForeignAccount } from '../ask-account.ts';
import { type Debtor, debtsOf } from '../debts.ts';
import { drawOn } from '../draw-on.ts';
import { fundingSources } from '../funding.ts';
import { type LoadedPayable, loadPayable } from '../load-payable.ts';
import type { PayoutMethod, StartPayoutResult } from '../model.ts';
import { decidePayout } from '../payout-decision.ts';
import { sendPayoutJob } from '../payout-jobs.ts';
import { isRightMode, mayStartPayouts } from '../rules.ts';
import { ourAccountAt } from '../seller-account.ts';
import { fitsBalance, type TreasuryPosition, treasuryPosition } from '../treasury.ts';

interface StartPayoutInput {
  saleId: string;
  /** the run that it belongs to, if any */
  runId: string | null;
  /** what whoever asked for it has seen; refused when it is another amount now. Null: whatever it is. Cents */
  expectedCents: number | null;
}

/**
 * Starts the payout of a sale to its seller: the amount is what the ledger says, less what the seller owes, which is settled with
 * it. It is sent in the background; where no provider is configured for the seller's method, it is to be made by hand. A payout of
 * nothing is completed at once.
 * @throws Unauthenticated, ProofRequired, Forbidden for everyone but administrators; NotFound; PaymentError `unavailable` when the
 *   provider cannot be reached
 */
export async function startPayout(
  ctx: CtxWith<'payments' | 'payouts'>,
  { saleId, runId, expectedCents }: StartPayoutInput,
): Promise<StartPayoutResult> {
  authorize(ctx, mayStartPayouts);
  requireFreshProof(ctx);
  if (!isUuid(saleId)) throw new NotFound();
  const known = await loadPayable(ctx, saleId);
  if (!known) throw new NotFound();
  const route = expectedCents === 0 ? NO_ROUTE : await routeOf(ctx, known);
  // One that a provider carries is asked about before it is sent.
  if (expectedCents !== 0 && route.port === null) await askFirst(ctx, { saleId });
  return ctx.db.tx(async (): Promise<StartPayoutResult> => {
    const locked = await lockForPayout(ctx, saleId, known);
    const { payable, netted, sale } = locked;
    const method = payable.facts.seller?.method ?? null;
    const decision = decidePayout(
      { ...payable.facts, rightMode: isRightMode(ctx.config, payable.livemode, route.port) },
      {
        isNothing: netted.payCents === 0,
        days: await payoutHoldDays(asSystem(ctx, 'payouts')),
        now: ctx.now(),
      },
    );
    if (!decision.ok) return decision;
    // The seller has just chosen another method: how it is paid was looked up for the one before.
    const isStale = netted.payCents > 0 && method !== route.method;
    if (isStale || (expectedCents !== null && expectedCents !== netted.payCents))
      return { ok: false, refusal: 'amount_changed' };
    const sources = await sourcesFor(ctx, sale, route);
    if (!(await fits(ctx, route, { saleId, amountCents: netted.payCents, sources })))
      return { ok: false, refusal: 'balance_short' };
    return record(ctx, { ...locked, route, sources, runId });
  });
}

/** How a seller is paid: through a provider's account, or by hand. */
interface Route {
  method: PayoutMethod | null;
  port: PayoutsPort | null;
  accountId: string | null;
  position: TreasuryPosition | null;
}

/** Where nothing is sent, no provider is needed. */
const NO_ROUTE: Route = { method: null, port: null, accountId: null, position: null };

async function routeOf(ctx: CtxWith<'payouts'>, { facts, agentId }: LoadedPayable): Promise<Route> {
  const method = facts.seller?.method ?? null;
  const port = method && ctx.payouts.forMethod(method);
  if (!port) return { method, port: null, accountId: null, position: null };
  const { provider, livemode } = port;
  const accountId = await ourAccountAt(ctx, port);
  if (method === 'stripe') await noteForeignAccount(ctx, agentId, { provider, livemode, accountId });
  return { method, port, accountId, position: await treasuryPosition(ctx, { port, accountId }) };
}

interface Locked {
  sale: SaleRow;
  payable: LoadedPayable;
  netted: NettedPayout;
}

/** Locks the seller first, so that two payouts never settle the same debt, then every sale concerned, always in one order. */
async function lockForPayout(ctx: Ctx, saleId: string, debtor: Debtor): Promise<Locked> {
  const q = ctx.db.q();
  const { agentId } = debtor;
  await q.selectFrom('agents').select('id').where('id', '=', agentId).forUpdate().execute();
  const owing = (await debtsOf(ctx, [agentId])).of(debtor).map((debt) => debt.saleId);
  await q
    .selectFrom('property_sales')
    .select('id')
    .where('id', 'in', [saleId, ...owing])
    .orderBy('id')
    .forUpdate()
    .execute();
  const sale = await lockSale(ctx, saleId);
  const payable = await loadPayable(ctx, saleId);
  if (!sale || !payable) throw new Error(`The sale ${saleId} has gone`);
  // Only now can they no longer change; what has been added meanwhile waits for the next payout.
  const debts = (await debtsOf(ctx, [agentId]))
    .of(debtor)
    .filter((debt) => debt.saleId === saleId || owing.includes(debt.saleId));
  return { sale, payable, netted: netPayout(Math.max(0, payable.payableCents), debts) };
}

const sourcesFor = async (ctx: Ctx, sale: SaleRow, { port, accountId }: Route): Promise<PayoutSource[]> =>
  port && accountId ? fundingSources(ctx, sale, { accountId, accountProvider: port.accountProvider }) : [];

async function fits(
  ctx: Ctx,
  { accountId, position }: Route,
  { saleId, amountCents, sources }: { saleId: string; amountCents: number; sources: readonly PayoutSource[] },
): Promise<boolean> {
  if (accountId === null || amountCents === 0) return true;
  const sourceCents = sources.reduce((sum, source) => sum + source.amountCents, 0);
  return fitsBalance(ctx, { position, accountId, saleId, amountCents, sourceCents });
}

async function record(
  ctx: Ctx,
  {
    sale,
    payable,
    netted,
    route,
    sources,
    runId,
  }: Locked & { route: Route; sources: PayoutSource[]; runId: string | null },
): Promise<StartPayoutResult> {
  const started = await transitionSale(ctx, {
    sale,
    event: 'start_payout',
    by: ctx.actor.kind === 'user' ? 'admin' : 'system',
    amountCents: netted.payCents,
  });
  if (!started.ok) return { ok: false, refusal: refusalOf(started.reason) };
  const { payCents: amountCents } = netted;
  const isNothing = amountCents === 0;
  const nettedCents = netted.netted.reduce((sum, { cents }) => sum + cents, 0);
  const attempt = await nextAttempt(ctx, sale.id);
  const { method, stripeAccount, paypalEmail } = payable.facts.seller ?? {};
  const port = isNothing ? null : route.port;
  const { id } = await ctx.db
    .q()
    .insertInto('payouts')
    .values({
      sale_id: sale.id,
      agent_id: sale.agent_id,
      run_id: runId,
      attempt,
      amount_cents: amountCents,
      netted_cents: nettedCents,
      method: port && method ? method : 'manual',
      destination: (method === 'stripe' ? stripeAccount : method && paypalEmail) ?? '',
      provider: port?.provider ?? null,
      provider_account_id: port ? route.accountId : null,
      livemode: sale.livemode,
      sources: JSON.stringify(drawOn(sources, amountCents)),
      idempotency_key: `payout:${sale.id}:${attempt}`,
      started_by: ctx.actor.kind === 'user' ? ctx.actor.id : null,
      status: isNothing ? 'completed' : 'processing',
      settled_at: isNothing ? ctx.now() : null,
      created_at: ctx.now(),
      // Also sends it, should its job be lost.
      next_ask_at: port ? new Date(ctx.now().getTime() + 10 * MINUTE) : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await settleDebts(ctx, { payoutId: id, saleId: sale.id, attempt, netted });
  if (isNothing) {
    const ended = await endPayout(asSystem(ctx, 'payouts'), started.sale, { netted_cents: nettedCents }, 0);
    // What was owed to the seller for this sale may have gone to an older debt, and this sale's own is then open again.
    await askForMoneyBack(asSystem(ctx, 'payouts'), ended);
    return { ok: true, payoutId: id, amountCents, status: 'completed' };
  }
  await postEntry(asSystem(ctx, 'payouts'), {
    key: `payout-reserved:${attempt}:${sale.id}`,
    kind: 'L3',
    saleId: sale.id,
    memo: 'Payout started',
    postings: reservedPostings(amountCents),
  });
  if (port) await enqueue(ctx, sendPayoutJob, { payoutId: id }, { key: id });
  return { ok: true, payoutId: id, amountCents, status: 'processing' };
}

const refusalOf = (reason: string) => {
  if (reason === 'frozen' || reason === 'disputed' || reason === 'refund_running') return reason;
  return 'not_open';
};

async function nextAttempt(ctx: Ctx, saleId: string): Promise<number> {
  const { last } = await ctx.db
    .q()
    .selectFrom('payouts')
    .select((max) => max.fn.max('attempt').as('last'))
    .where('sale_id', '=', saleId)
    .executeTakeFirstOrThrow();
  return (last ?? 0) + 1;
}

interface Debts {
  payoutId: string;
  saleId: string;
  attempt: number;
  netted: NettedPayout;
}

/** Settles what the seller owes with what the seller is to be paid; this stays, whatever becomes of the payout. */
async function settleDebts(ctx: Ctx, { payoutId, saleId, attempt, netted }: Debts): Promise<void> {
  const system = asSystem(ctx, 'payouts');
  for (const { saleId: owing, cents } of netted.netted) {
    await ctx.db
      .q()
      .insertInto('payout_offsets')
      .values({ payout_id: payoutId, sale_id: owing, amount_cents: cents })
      .execute();
    const entry = { kind: 'L7' as const, memo: 'Set off against what the seller owes' };
    if (owing === saleId) {
      const key = `payout-offset:${attempt}:${saleId}`;
      await postEntry(system, { ...entry, key, saleId, postings: ownOffsetPostings(cents) });
      continue;
    }
    const { paying, owing: settled } = offsetPostings(cents);
    const key = `payout-offset:${saleId}:${attempt}:${owing}`;
    await postEntry(system, { ...entry, key: `${key}:${saleId}`, saleId, postings: paying });
    await postEntry(system, { ...entry, key, saleId: owing, postings: settled });
  }
}
