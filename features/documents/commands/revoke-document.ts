import { subjectOf } from '#features/chain/queue-anchor.ts';
import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { SHORT_REASON_MAX_LENGTH } from '#platform/reason-length.ts';
import { visibleText } from '#platform/typed-text.ts';
import { isUuid } from '#platform/uuid.ts';
import { mayManageDocuments, type RevocationRefusal } from '../rules.ts';

interface Revocation {
  /** the property on whose page it was asked for, of which the document has to be */
  propertyId: string;
  documentId: string;
  reason: string;
}

type Result = { ok: true; name: string } | { ok: false; reason: RevocationRefusal };

/**
 * Withdraws one version of a document for good: everyone who checks it is told that it no longer counts, and neither its registration nor a
 * token can be asked for anymore. Its file stays, and so does what is on the chain, or on its way there.
 * @throws Unauthenticated, Forbidden for everyone but administrators; NotFound
 */
export async function revokeDocument(
  ctx: Ctx,
  { propertyId, documentId, reason: typed }: Revocation,
): Promise<Result> {
  authorize(ctx, mayManageDocuments);
  if (!isUuid(propertyId) || !isUuid(documentId)) throw new NotFound('Document not found');
  const reason = visibleText(typed).trim();
  return ctx.db.tx(async (): Promise<Result> => {
    const q = ctx.db.q();
    const document = await q
      .selectFrom('document_registry')
      .select(['id', 'document_name', 'status', 'property_id', 'property_sale_id', 'agent_id'])
      .where('id', '=', documentId)
      .where('property_id', '=', propertyId)
      .where('is_test', '=', false)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!document) throw new NotFound('Document not found');
    if (document.status === 'revoked') return { ok: false, reason: 'revoked' };
    if (reason === '') return { ok: false, reason: 'empty' };
    if (reason.length > SHORT_REASON_MAX_LENGTH) return { ok: false, reason: 'too_long' };
    await q
      .updateTable('document_registry')
      .set({ status: 'revoked', failure_reason: reason })
      .where('id', '=', documentId)
      .execute();
    await audit(ctx, {
      action: 'document.revoke',
      ...subjectOf(document),
      before: { document: documentId, status: document.status },
      after: { document: documentId, status: 'revoked', reason },
    });
    return { ok: true, name: document.document_name };
  });
}
