import type { Ctx } from './context.ts';

/** What the domain calls that which is audited; it adds `action` and `entity` (`features/audit/words.ts`). */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the domain
export interface AuditNames {}
type Name<Of extends string> = AuditNames extends Record<Of, infer Names extends string> ? Names : string;
/** What was done, as `noun.verb`. */
export type AuditAction = Name<'action'>;
/** The kind of record that it was done to. */
export type AuditEntity = Name<'entity'>;

export interface AuditEntry {
  action: AuditAction;
  entity: AuditEntity;
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
