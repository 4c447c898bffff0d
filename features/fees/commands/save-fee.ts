import { sql } from 'kysely';
import { authorize } from '#platform/access.ts';
import { requireFreshProof } from '#platform/auth/fresh-proof.ts';
import { invalidate } from '#platform/cache.ts';
import type { Ctx } from '#platform/context.ts';
import {
  type FeeErrors,
  type FeeValues,
  feeMessages,
  feeVersion,
  type ManagedFee,
  mayManageFees,
  parseFee,
  type TypedFee,
} from '../managed.ts';
import { toManaged } from '../managed-reads.ts';
import { audited, auditFee, lockedFee, lockFees } from '../write-fee.ts';

interface SaveInput extends TypedFee {
  /** null for a new fee */
  id: string | null;
  /** `feeVersion` of what the administrator saw */
  seen: string;
}

type SaveFeeResult =
  | { ok: true; id: string }
  | { ok: false; reason: 'invalid'; errors: FeeErrors }
  /** another administrator has changed it meanwhile; nothing was changed */
  | { ok: false; reason: 'newer'; current: ManagedFee }
  /** another administrator has deleted it meanwhile */
  | { ok: false; reason: 'gone' };

/**
 * Adds or changes a fee for purchases that begin from now on; sales that have begun keep theirs. Prices of every process follow
 * by the announcement of the cache.
 * @throws Unauthenticated, ProofRequired, Forbidden for everyone but administrators
 */
export async function saveFee(ctx: Ctx, input: SaveInput): Promise<SaveFeeResult> {
  authorize(ctx, mayManageFees);
  requireFreshProof(ctx);
  const parsed = parseFee(input);
  if (!parsed.ok) return { ok: false, reason: 'invalid', errors: parsed.errors };
  const { values } = parsed;
  const result = await ctx.db.tx(async () => {
    await lockFees(ctx);
    return input.id === null ? create(ctx, values) : change(ctx, { ...input, id: input.id }, values);
  });
  if (result.ok) invalidate(ctx.db, 'service_fees');
  return result;
}

async function create(ctx: Ctx, values: FeeValues): Promise<SaveFeeResult> {
  if (await isTaken(ctx, values.name, null)) return taken;
  const { next } = await ctx.db
    .q()
    .selectFrom('service_fees')
    .select(sql<number>`coalesce(max(position) + 1, 0)`.as('next'))
    .executeTakeFirstOrThrow();
  const { id } = await ctx.db
    .q()
    .insertInto('service_fees')
    .values({ ...columns(values), position: next, created_at: ctx.now() })
    .returning('id')
    .executeTakeFirstOrThrow();
  await auditFee(ctx, { action: 'service_fee.create', id, after: audited(values, { position: next }) });
  return { ok: true, id };
}

async function change(
  ctx: Ctx,
  { id, seen }: { id: string; seen: string },
  values: FeeValues,
): Promise<SaveFeeResult> {
  const row = await lockedFee(ctx, id);
  if (!row) return { ok: false, reason: 'gone' };
  const current = toManaged(row);
  const stored = feeVersion(current);
  if (stored === feeVersion(values)) return { ok: true, id };
  if (stored !== seen) return { ok: false, reason: 'newer', current };
  if (await isTaken(ctx, values.name, id)) return taken;
  await ctx.db.q().updateTable('service_fees').set(columns(values)).where('id', '=', id).execute();
  await auditFee(ctx, {
    action: 'service_fee.change',
    id,
    before: audited(current, row),
    after: audited(values, row),
  });
  return { ok: true, id };
}

const columns = ({ name, type, fixedCents, percent, appliesTo, active }: FeeValues) => ({
  name,
  fee_type: type,
  fixed_cents: fixedCents,
  percent,
  applies_to: [...appliesTo],
  is_active: active,
});

/** Compares as the unique index does. */
const isTaken = async (ctx: Ctx, name: string, id: string | null): Promise<boolean> =>
  (await ctx.db
    .q()
    .selectFrom('service_fees')
    .select('id')
    .where(sql<boolean>`lower(trim(name)) = lower(trim(${name}))`)
    .where('archived_at', 'is', null)
    .$if(id !== null, (others) => others.where('id', '<>', id))
    .executeTakeFirst()) !== undefined;

const taken: SaveFeeResult = { ok: false, reason: 'invalid', errors: { name: feeMessages.nameTaken } };
