import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { isUuid } from '#platform/uuid.ts';
import { mayManageDocuments } from '../rules.ts';
import { sameDocument } from '../same-document.ts';

interface Version {
  id: string;
  document_name: string;
  visibility: 'private' | 'public';
}

/**
 * Makes a document of a property private, with all its versions: their files are given out to those alone who see the document, and the
 * store of public documents stops keeping them. Copies that others have made stay. A hash that is anchored, or about to be, or that a token
 * names, stays as it is; another one is salted from now on, like that of every private document.
 * @param propertyId the property on whose page it was asked for, of which the document has to be
 * @returns how many versions were public; 0 when none was, so that nothing is done
 * @throws Unauthenticated, Forbidden for everyone but administrators; NotFound
 */
export async function makePrivate(
  ctx: Ctx,
  { propertyId, documentId }: { propertyId: string; documentId: string },
): Promise<{ name: string; versions: number }> {
  authorize(ctx, mayManageDocuments);
  if (!isUuid(propertyId) || !isUuid(documentId)) throw new NotFound('Document not found');
  return ctx.db.tx(async () => {
    const q = ctx.db.q();
    // Held, so that no version is added meanwhile, and against the signing of what becomes of them on the chain, which shares the
    // property and holds them in another order. Versions come in the order of what is published, which is counted by content.
    await sql`select from properties where id = ${propertyId} for update`.execute(q);
    const { rows } = await sql<Version>`
      select d.id, d.document_name, d.visibility
      from document_registry n join document_registry d on ${sameDocument('d', 'n')}
      where n.id = ${documentId} and n.property_id = ${propertyId}
      order by d.cid, d.id for no key update of d`.execute(q);
    const asked = rows.find(({ id }) => id === documentId);
    if (!asked) throw new NotFound('Document not found');
    const open = rows.filter(({ visibility }) => visibility === 'public');
    const named = await namedAmong(
      ctx,
      open.map(({ id }) => id),
    );
    for (const { id } of open)
      await q
        .updateTable('document_registry')
        .set({ visibility: 'private', ...(!named.has(id) && { salt: randomBytes(32).toString('hex') }) })
        .where('id', '=', id)
        .execute();
    if (open.length > 0)
      await audit(ctx, {
        action: 'document.make-private',
        entity: 'property',
        entityId: propertyId,
        before: { visibility: 'public' },
        after: { visibility: 'private', documents: open.map(({ id }) => id).sort() },
      });
    return { name: asked.document_name, versions: open.length };
  });
}

/**
 * Those whose hash the chain names, or soon does: salted, it would be another one than the token's once the document is anchored. Asked
 * once the rows are held: the statement that waited for them does not see a registration that it waited for.
 */
async function namedAmong({ db }: Ctx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select document_id as id from document_anchors where document_id = any(${[...ids]}::uuid[])
    union select document_id from completion_nfts
      where document_id = any(${[...ids]}::uuid[]) and token_metadata is not null`.execute(db.q());
  return new Set(rows.map(({ id }) => id));
}
