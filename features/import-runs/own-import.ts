import { sellerOf } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { isUuid } from '#platform/uuid.ts';

/** The imports that an actor sees, none whose upload broke off: administrators and jobs all, a seller those of their own making, everybody else none. */
export function visibleImports(ctx: Ctx) {
  const { actor } = ctx;
  const query = ctx.db
    .q()
    .selectFrom('listing_imports as i')
    .where(({ eb, or }) => or([eb('i.status', '<>', 'uploaded'), eb('i.file_parts', '>', 0)]));
  const seesAll = actor.kind === 'system' || (actor.kind === 'user' && actor.role === 'admin');
  return seesAll
    ? query
    : query.where('i.made_as', '=', 'agent').where('i.agent_id', '=', sellerOf(actor)?.agentId ?? null);
}

/**
 * An import that the actor sees, held until the transaction ends.
 * @throws NotFound
 */
export async function lockImport(ctx: Ctx, importId: string) {
  if (!isUuid(importId)) throw new NotFound('Import not found');
  const row = await visibleImports(ctx)
    .selectAll('i')
    .where('i.id', '=', importId)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw new NotFound('Import not found');
  return row;
}
