import { acceptedPostings } from '#features/ledger/rules.ts';
import { approveShortfall } from '#features/reconciliation/commands/approve-shortfall.ts';
import { closeBreaks } from '#features/reconciliation/commands/close-breaks.ts';
import type { BreakResolution } from '#features/reconciliation/model.ts';
import type { SaleEvent } from '#features/sales/model.ts';
import { NOTE_MAX_LENGTH } from '#features/sales/rules.ts';
import { factsOf, lockSale, type SaleRow, stateOf } from '#features/sales/sale-row.ts';
import { transitionSale } from '#features/sales/transition-sale.ts';
import { resolveTransition } from '#features/sales/transitions.ts';
import { authorizedUser } from '#platform/access.ts';
import { requireFreshProof } from '#platform/auth/fresh-proof.ts';
import { asSystem, type Ctx, type UserActor } from '#platform/context.ts';
import { cutText } from '#platform/cut-text.ts';
import { NotFound } from '#platform/errors.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { isUuid } from '#platform/uuid.ts';
import { purchasePaths } from '#routing/purchase-paths.ts';
import { Draft } from '../draft.ts';
import { paymentLimits } from '../limits.ts';
import { loadImage } from '../load-image.ts';
import type { DecisionResult } from '../model.ts';
import { mayDecidePayments } from '../rules.ts';
import { imageBalances } from '../sale-image.ts';
import { writeChanges } from '../write-changes.ts';

interface DecideMismatchInput {
  saleId: string;
  /** why; at most 2,000 characters */
  note: string;
}

/** A locked sale whose payment waits for a decision. */
interface Undecided {
  sale: SaleRow;
  draft: Draft;
  note: string;
  userId: string;
  /** who agreed, where a second administrator has to */
  approvedBy?: string;
}

/**
 * Accepts a payment that differs from what was asked for: the sale is in escrow with its full price. What was paid too much
 * goes back; what is missing is written off, which needs a note, and above the threshold of write-offs a second administrator who accepts it,
 * too. Money of another mode or currency cannot be accepted.
 * @throws Unauthenticated; Forbidden; ProofRequired; NotFound; TooManyRequests
 */
export async function acceptMismatch(ctx: Ctx, input: DecideMismatchInput): Promise<DecisionResult> {
  const user = authorizedUser(ctx, mayDecidePayments);
  requireFreshProof(ctx);
  return withUndecided(ctx, user, input, async (undecided) => {
    const { sale, draft, note } = undecided;
    const { suspenseCents } = imageBalances(draft.image);
    if (suspenseCents === 0) return { ok: false, reason: 'nothing_received' };
    if (suspenseCents < sale.total_cents && note === '') return { ok: false, reason: 'no_reason' };
    if (!(await isForSale(ctx, sale))) return { ok: false, reason: 'unavailable' };
    // An approval is not used up by a move that is refused.
    const possible = await movable(ctx, sale, 'accept_mismatch');
    if (!possible.ok) return possible;
    const approval = await approveShortfall(ctx, {
      saleId: sale.id,
      cents: sale.total_cents - suspenseCents,
      reason: note,
      by: user.id,
    });
    if (approval === 'asked') return { ok: true, awaitingApproval: true };
    if (approval === 'own') return { ok: false, reason: 'same_administrator' };
    const decided =
      typeof approval === 'object'
        ? { ...undecided, userId: approval.askedBy, approvedBy: user.id }
        : undecided;
    draft.post('paid', 'L6', 'Payment accepted', acceptedPostings(draft.image.amounts, suspenseCents));
    return finish(ctx, decided, 'accept_mismatch', 'accepted');
  });
}

/**
 * Sends a payment back that differs from what was asked for: the sale ends, and the property is free. If nothing is held of it
 * (test money, another currency, or it has gone back), the sale just ends.
 * @throws Unauthenticated; Forbidden; ProofRequired; NotFound; TooManyRequests
 */
export async function returnMismatch(ctx: Ctx, input: DecideMismatchInput): Promise<DecisionResult> {
  const user = authorizedUser(ctx, mayDecidePayments);
  requireFreshProof(ctx);
  return withUndecided(ctx, user, input, (undecided) =>
    imageBalances(undecided.draft.image).suspenseCents > 0
      ? finish(ctx, undecided, 'return_mismatch', 'returned')
      : finish(ctx, undecided, 'dismiss_mismatch', 'dismissed'),
  );
}

async function withUndecided(
  ctx: Ctx,
  user: UserActor,
  { saleId, note }: DecideMismatchInput,
  decide: (undecided: Undecided) => Promise<DecisionResult>,
): Promise<DecisionResult> {
  if (!isUuid(saleId)) throw new NotFound();
  await takeTokens(ctx, paymentLimits.decide, user.id);
  return ctx.db.tx(async (): Promise<DecisionResult> => {
    const sale = await lockSale(ctx, saleId);
    if (!sale) throw new NotFound();
    if (sale.buyer_id === user.id) return { ok: false, reason: 'not_yours' };
    const image = await loadImage(ctx, sale, false);
    if (!image.breaks.some(({ kind, open }) => open && kind === 'payment_mismatch'))
      return { ok: false, reason: 'no_mismatch' };
    const text = cutText(note.trim(), NOTE_MAX_LENGTH);
    return decide({ sale, draft: new Draft(image), note: text, userId: user.id });
  });
}

/** Whether the property is still for sale; locks it. */
async function isForSale(ctx: Ctx, sale: SaleRow): Promise<boolean> {
  const row = await ctx.db
    .q()
    .selectFrom('properties')
    .select('is_public')
    .where('id', '=', sale.property_id)
    .forUpdate()
    .executeTakeFirst();
  return row?.is_public === true;
}

const movable = async (ctx: Ctx, sale: SaleRow, event: SaleEvent) =>
  resolveTransition(stateOf(sale), event, 'admin', await factsOf(ctx, sale));

async function finish(
  ctx: Ctx,
  { sale, draft, note, userId, approvedBy }: Undecided,
  event: SaleEvent,
  resolution: BreakResolution,
): Promise<DecisionResult> {
  const possible = await movable(ctx, sale, event);
  if (!possible.ok) return possible;
  const system = asSystem(ctx, 'payments');
  const posted = await writeChanges(system, { sale, ...draft });
  await closeBreaks(system, {
    saleId: sale.id,
    kind: 'payment_mismatch',
    resolution,
    note,
    by: userId,
    ...(approvedBy !== undefined && { approvedBy }),
  });
  const moved = await transitionSale(ctx, {
    sale: posted,
    event,
    by: 'admin',
    note: note || null,
    patch: event === 'accept_mismatch' ? { payment_receipt_url: purchasePaths.receipt(sale.id) } : {},
  });
  return moved.ok ? { ok: true } : moved;
}
