import type { Ctx } from './context.ts';

interface AuditEntry {
  /** what was done, as `noun.verb` */
  action: string;
  entity: string;
  entityId: string;
  before?: unknown;
  after?: unknown;
}

/** Writes an audit row in the current transaction, so that it exists if and only if the change does. */
export async function audit(ctx: Ctx, entry: AuditEntry): Promise<void> {
  const { actor } = ctx;
  await ctx.db
    .q()
    .insertInto('audit_log')
    .values({
      actor_id: actor.kind === 'user' ? actor.id : null,
      actor_role:
        actor.kind === 'user' ? actor.role : actor.kind === 'system' ? `system:${actor.name}` : 'visitor',
      action: entry.action,
      entity: entry.entity,
      entity_id: entry.entityId,
      before: entry.before === undefined ? null : JSON.stringify(entry.before),
      after: entry.after === undefined ? null : JSON.stringify(entry.after),
      request_id: ctx.requestId,
      ip: ctx.ip,
      at: ctx.now(),
    })
    .execute();
}
