import { lockSale, type SaleRow } from '#features/sales/sale-row.ts';
import { transitionSale } from '#features/sales/transition-sale.ts';
import { reopenPayout } from '#features/seller-shares/reopen-payout.ts';
import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { requireFreshProof } from '#platform/auth/fresh-proof.ts';
import { asSystem, type Ctx, type UserActor } from '#platform/context.ts';
import { cutText } from '#platform/cut-text.ts';
import { NotFound } from '#platform/errors.ts';
import { SHORT_REASON_MAX_LENGTH } from '#platform/reason-length.ts';
import { visibleText } from '#platform/typed-text.ts';
import { isUuid } from '#platform/uuid.ts';
import { endPayout, postPayoutEntry } from '../apply-payout.ts';
import type { ManualPayoutRefusal } from '../model.ts';
import { lockPayout, type PayoutRow, payoutRow } from '../payout-rows.ts';
import { manualFailedEntry, manualSentEntry } from '../plan-payout.ts';
import { mayStartPayouts } from '../rules.ts';

/** Longest reference of a bank, in characters. */
export const BANK_REFERENCE_MAX_LENGTH = 200;

/** `cameBack`: it had left the bank before it failed. */
type ManualPayoutResult = { ok: true; cameBack?: boolean } | { ok: false; refusal: ManualPayoutRefusal };

/**
 * Records what the bank calls a payout that was made by hand; another administrator has to confirm it. Can be corrected until then.
 * The same again by the same administrator changes nothing.
 * @throws Unauthenticated, ProofRequired, Forbidden for everyone but administrators; NotFound
 */
export async function recordBankReference(
  ctx: Ctx,
  { payoutId, reference }: { payoutId: string; reference: string },
): Promise<ManualPayoutResult> {
  return withManual(ctx, payoutId, async ({ row, user }) => {
    const text = visibleText(reference).trim();
    if (text === '' || text.length > BANK_REFERENCE_MAX_LENGTH) return refuse('no_reference');
    if (row.status !== 'processing') return refuse('not_processing');
    if (row.bank_reference === text && row.recorded_by === user.id) return { ok: true };
    await ctx.db
      .q()
      .updateTable('payouts')
      .set({ bank_reference: text, recorded_by: user.id, recorded_at: ctx.now() })
      .where('id', '=', row.id)
      .execute();
    await audit(ctx, {
      action: 'payout.record_reference',
      entity: 'property_sale',
      entityId: row.sale_id,
      before: { bankReference: row.bank_reference },
      after: { bankReference: text },
    });
    return { ok: true };
  });
}

/**
 * Confirms that a payout by hand has left the bank, as a second look at what another administrator has recorded: the seller is paid.
 * @throws Unauthenticated, ProofRequired, Forbidden for everyone but administrators; NotFound
 */
export async function confirmManualPayout(
  ctx: Ctx,
  { payoutId, reference }: { payoutId: string /** as the administrator saw it */; reference: string },
): Promise<ManualPayoutResult> {
  return withManual(ctx, payoutId, async ({ row, sale, user }) => {
    if (row.status !== 'processing') return refuse('not_processing');
    if (row.bank_reference !== reference) return refuse('no_reference');
    if (row.recorded_by === null || row.recorded_by === user.id) return refuse('second_look');
    await ctx.db
      .q()
      .updateTable('payouts')
      .set({
        status: 'completed',
        confirmed_by: user.id,
        paid_cents: row.amount_cents,
        settled_at: ctx.now(),
      })
      .where('id', '=', row.id)
      .execute();
    await postPayoutEntry(asSystem(ctx, 'payouts'), row, manualSentEntry(row.attempt, row.amount_cents));
    await audit(ctx, {
      action: 'payout.confirm',
      entity: 'property_sale',
      entityId: row.sale_id,
      before: { bankReference: row.bank_reference },
      after: { bankReference: row.bank_reference, confirmed: true },
    });
    await reopenPayout(ctx, await endPayout(ctx, sale, row, row.amount_cents));
    return { ok: true };
  });
}

interface FailManualInput {
  payoutId: string;
  /** for the seller, too */
  reason: string;
  /** whether it was confirmed, as the administrator saw it */
  confirmed: boolean;
}

/**
 * Records that a payout by hand was not made, or that it came back after it was confirmed: the seller is owed it again.
 * @throws Unauthenticated, ProofRequired, Forbidden for everyone but administrators; NotFound
 */
export async function failManualPayout(
  ctx: Ctx,
  { payoutId, reason, confirmed }: FailManualInput,
): Promise<ManualPayoutResult> {
  return withManual(ctx, payoutId, async ({ row, sale }) => {
    const note = cutText(visibleText(reason).trim(), SHORT_REASON_MAX_LENGTH);
    if (note === '') return refuse('no_reason');
    const hadLeft = row.status === 'completed';
    if (row.status === 'failed' || row.amount_cents === 0) return refuse('not_processing');
    if (hadLeft !== confirmed) return refuse('changed');
    const event = hadLeft ? ('return_payout' as const) : ('fail_payout' as const);
    await ctx.db
      .q()
      .updateTable('payouts')
      .set({
        status: 'failed',
        failure: hadLeft ? 'returned' : 'other',
        failure_reason: note,
        returned_cents: hadLeft ? row.amount_cents : 0,
        settled_at: ctx.now(),
      })
      .where('id', '=', row.id)
      .execute();
    await postPayoutEntry(
      asSystem(ctx, 'payouts'),
      row,
      manualFailedEntry(row.attempt, row.amount_cents, hadLeft),
    );
    if (sale.payout_status === (hadLeft ? 'completed' : 'processing'))
      await transitionSale(ctx, { sale, event, by: 'admin', note, amountCents: row.amount_cents });
    return { ok: true, ...(hadLeft && { cameBack: true }) };
  });
}

const refuse = (refusal: ManualPayoutRefusal): ManualPayoutResult => ({ ok: false, refusal });

interface Manual {
  row: PayoutRow;
  sale: SaleRow;
  user: UserActor;
}

/** Runs a decision about a payout by hand with it and its sale locked. */
async function withManual(
  ctx: Ctx,
  payoutId: string,
  decide: (manual: Manual) => Promise<ManualPayoutResult>,
): Promise<ManualPayoutResult> {
  const user = authorizedUser(ctx, mayStartPayouts);
  requireFreshProof(ctx);
  const known = isUuid(payoutId) ? await payoutRow(ctx, payoutId) : undefined;
  if (!known || known.provider !== null) throw new NotFound();
  return ctx.db.tx(async () => {
    const sale = await lockSale(ctx, known.sale_id);
    const row = await lockPayout(ctx, payoutId);
    if (!sale || !row) throw new Error(`The payout ${payoutId} or its sale has gone`);
    return decide({ row, sale, user });
  });
}
