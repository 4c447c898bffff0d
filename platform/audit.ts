import type { Ctx } from './context.ts';

export interface AuditEntry {
  /** what was done, as `noun.verb` */
  action: string;
  entity: string;
  entityId: string;
  before?: unknown;
  after?: unknown;
}

/** Writes an audit row in the current transaction, so that it exists if and only if the change does. */
export const audit = (ctx: Ctx, entry: AuditEntry): Promise<void> => auditAll(ctx, [entry]);

/** Writes the audit rows of many changes in one statement; at most 5,000. */
export async function auditAll(ctx: Ctx, entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const { actor } = ctx;
  const common = {
    actor_id: actor.kind === 'user' ? actor.id : null,
    actor_role:
      actor.kind === 'user' ? actor.role : actor.kind === 'system' ? `system:${actor.name}` : 'visitor',
    request_id: ctx.requestId,
    ip: ctx.ip,
    at: ctx.now(),
  };
  await ctx.db
    .q()
    .insertInto('audit_log')
    .values(
      entries.map(({ action, entity, entityId, before, after }) => ({
        ...common,
        action,
        entity,
        entity_id: entityId,
        before: before === undefined ? null : JSON.stringify(before),
        after: after === undefined ? null : JSON.stringify(after),
      })),
    )
    .execute();
}
