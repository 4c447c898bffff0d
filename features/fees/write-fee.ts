import { type AuditAction, audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { takeLock } from '#platform/db/locks.ts';
import { isUuid } from '#platform/uuid.ts';
import type { FeeValues } from './managed.ts';
import { feeRows } from './managed-reads.ts';

/** What there is of a fee, as audit rows hold it before and after each change; only what is true is told of `archived`. */
interface AuditedFee {
  name: string | null;
  type: string | null;
  fixedCents: number | null;
  percent: number | null;
  appliesTo: readonly string[] | null;
  active: boolean | null;
  position: number | null;
  archived: true | null;
}

export const NO_FEE: AuditedFee = {
  name: null,
  type: null,
  fixedCents: null,
  percent: null,
  appliesTo: null,
  active: null,
  position: null,
  archived: null,
};

/** All fees stay as they are until the transaction ends: names and positions are decided on all of them. */
export const lockFees = (ctx: Ctx) => takeLock(ctx, 'service fees');

/**
 * A fee that is not archived, locked; undefined when there is none.
 * @param purpose `remove` waits for the purchases that are being written with it, and they for the end of the removal
 */
export async function lockedFee(ctx: Ctx, id: string, purpose: 'change' | 'remove' = 'change') {
  if (!isUuid(id)) return undefined;
  const found = feeRows(ctx.db.q()).where('id', '=', id).where('archived_at', 'is', null);
  return (purpose === 'remove' ? found.forUpdate() : found.forNoKeyUpdate()).executeTakeFirst();
}

/** Writes the audit row of a change of a fee. */
export const auditFee = (
  ctx: Ctx,
  entry: { action: AuditAction; id: string; before?: AuditedFee; after: AuditedFee },
) =>
  audit(ctx, {
    action: entry.action,
    entity: 'service_fee',
    entityId: entry.id,
    before: entry.before,
    after: entry.after,
  });

export const audited = (
  { name, type, fixedCents, percent, appliesTo, active }: FeeValues,
  { position, archived = false }: { position: number; archived?: boolean },
): AuditedFee => ({
  name,
  type,
  fixedCents,
  percent,
  appliesTo,
  active,
  position,
  archived: archived || null,
});
