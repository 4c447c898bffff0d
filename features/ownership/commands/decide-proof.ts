import { sql } from 'kysely';
import type { OwnershipStatus } from '#features/listings/ownership.ts';
import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { setAuditActor } from '#platform/audit-actor.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { isUuid } from '#platform/uuid.ts';
import { mailProofDecided } from '../mails.ts';
import type { DecideProofResult, ProofDecision, WithdrawnFor } from '../model.ts';
import { outcomeOf } from '../outcome.ts';
import { mayDecideOwnership, ownershipMessages, readReason } from '../rules.ts';
import { comparedVersion } from '../version.ts';

export interface DecideProofInput {
  proofId: string;
  decision: ProofDecision;
  /** what the administrator has compared; `version` of the subject */
  version: string;
  /** why it is refused, for the seller */
  reason?: string;
}

/**
 * Verifies the ownership that a proof is about, or refuses the proof with a reason, and tells its seller by notification and mail.
 * Each proof is decided once: whoever comes second learns who has decided what. What has changed since it was looked at is not
 * decided, and a document that the virus scanner holds cannot be verified.
 * @throws Unauthenticated, Forbidden for everyone but administrators; NotFound
 */
export async function decideProof(ctx: Ctx, input: DecideProofInput): Promise<DecideProofResult> {
  const user = authorizedUser(ctx, mayDecideOwnership);
  if (!isUuid(input.proofId)) throw new NotFound('Proof of ownership not found');
  const reading = input.decision === 'refuse' ? readReason(input.reason ?? '') : null;
  if (reading && !reading.ok) return { ok: false, reason: 'invalid', errors: { reason: reading.error } };
  const reason = reading?.reason ?? null;
  return ctx.db.tx(async (): Promise<DecideProofResult> => {
    const proof = await lockProof(ctx, input.proofId);
    const outcome = outcomeOf(ctx, proof);
    if (outcome) return { ok: false, reason: 'not_waiting', why: outcome };
    if (proof.version !== input.version)
      return { ok: false, reason: 'changed', why: ownershipMessages.changed };
    if (reason === null && (proof.scan === null || proof.scan === 'held'))
      return { ok: false, reason: 'held', why: ownershipMessages.held };
    const status = reason === null ? 'verified' : 'refused';
    await setAuditActor(ctx);
    await ctx.db
      .q()
      .updateTable('ownership_proofs')
      .set({
        status,
        reason,
        decided_by: user.id,
        decided_at: ctx.now(),
        // What is verified is the address of now, which may be another one than when the proof was uploaded.
        ...(reason === null && {
          address: sql<string>`(select address_line(p) from properties p where p.id = ${proof.property_id})`,
        }),
      })
      .where('id', '=', proof.id)
      .execute();
    await audit(ctx, {
      action: reason === null ? 'ownership.verify' : 'ownership.refuse',
      entity: 'property',
      entityId: proof.property_id,
      before: { proof: proof.id, ownership: 'waiting' },
      after: { proof: proof.id, ownership: status, document: proof.document_id, ...(reason && { reason }) },
    });
    await notifySeller(ctx, proof, reason);
    return { ok: true };
  });
}

interface LockedProof {
  id: string;
  status: OwnershipStatus | 'replaced';
  property_id: string;
  document_id: string | null;
  scan: string | null;
  decided_by: string | null;
  decider: string | null;
  withdrawn_for: WithdrawnFor | null;
  address: string;
  seller_user_id: string | null;
  seller_name: string;
  seller_email: string;
  version: string;
}

/** Holds listing and proof until the transaction ends, in the order in which everything else takes them. */
async function lockProof(ctx: Ctx, id: string): Promise<LockedProof> {
  const q = ctx.db.q();
  await sql`select from properties where id = (select property_id from ownership_proofs where id = ${id}) for update`.execute(
    q,
  );
  // A statement of its own: the first one would not see what was changed while it waited.
  const { rows } = await sql<LockedProof>`
    select o.id, o.status, o.property_id, o.document_id, d.scan, o.decided_by, u.name as decider, o.withdrawn_for, p.address,
      a.user_id as seller_user_id, a.name as seller_name, a.email as seller_email, ${comparedVersion} as version
    from ownership_proofs o join properties p on p.id = o.property_id join agents a on a.id = o.agent_id
      left join document_registry d on d.id = o.document_id left join users u on u.id = o.decided_by
    where o.id = ${id} for update of o`.execute(q);
  const [row] = rows;
  if (!row) throw new NotFound('Proof of ownership not found');
  return row;
}

async function notifySeller(ctx: Ctx, proof: LockedProof, reason: string | null): Promise<void> {
  const { address, property_id: propertyId } = proof;
  if (proof.seller_user_id !== null) {
    const message =
      reason === null
        ? `The ownership of ${address} is verified`
        : `The proof of ownership for ${address} was refused: ${reason}`;
    await sql`select tell_person(${proof.seller_user_id}, ${propertyId}, ${message}, 'Waiting',
      ${reason === null ? 'Verified' : 'Refused'})`.execute(ctx.db.q());
  }
  await mailProofDecided(ctx, {
    id: proof.id,
    propertyId,
    address,
    seller: { name: proof.seller_name, email: proof.seller_email },
    reason,
  });
}
