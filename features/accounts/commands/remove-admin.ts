import { unassignTasks } from '#features/tasks/commands/unassign-tasks.ts';
import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { requireFreshProof } from '#platform/auth/fresh-proof.ts';
import { asSystem, type Ctx } from '#platform/context.ts';
import { Forbidden } from '#platform/errors.ts';
import { publish } from '#platform/events/events.ts';
import { isUuid } from '#platform/uuid.ts';
import { lockAdmins } from '../admins.ts';
import { endResetLinks } from '../end-reset-links.ts';
import { mailAdminRemoved } from '../mails.ts';
import { mayRemoveAdmin } from '../rules.ts';

type RemoveAdminResult =
  | { ok: true; email: string }
  /** `gone`: is no administrator (anymore); `last_admin`: nobody would be left */
  | { ok: false; reason: 'gone' | 'last_admin' };

/**
 * Makes an administrator a buyer, so that what they did keeps its author, ends all their sessions and links to reset the password
 * at once, gives up their open tasks, and mails them. One administrator always remains, also when several remove each other at the same time.
 * @throws Unauthenticated, ProofRequired, Forbidden for everyone but administrators
 */
export async function removeAdmin(ctx: Ctx, { adminId }: { adminId: string }): Promise<RemoveAdminResult> {
  authorize(ctx, mayRemoveAdmin);
  requireFreshProof(ctx);
  if (!isUuid(adminId)) return { ok: false, reason: 'gone' };
  const id = adminId.toLowerCase();
  return ctx.db.tx(async (): Promise<RemoveAdminResult> => {
    const admins = await lockAdmins(ctx);
    // Whoever was removed since the request began removes nobody.
    if (ctx.actor.kind === 'user' && !admins.includes(ctx.actor.id)) throw new Forbidden();
    if (!admins.includes(id)) return { ok: false, reason: 'gone' };
    if (admins.length === 1) return { ok: false, reason: 'last_admin' };
    const q = ctx.db.q();
    await q.updateTable('profiles').set({ role: 'buyer' }).where('id', '=', id).execute();
    await q.deleteFrom('sessions').where('user_id', '=', id).execute();
    await endResetLinks(ctx, id);
    await unassignTasks(asSystem(ctx, 'admin-removal'), { assigneeId: id });
    const { email } = await q
      .selectFrom('users')
      .select('email')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    await mailAdminRemoved(ctx, { id, email });
    await audit(ctx, {
      action: 'admin.remove',
      entity: 'user',
      entityId: id,
      before: { role: 'admin' },
      after: { role: 'buyer' },
    });
    await publish(ctx, { audience: `user:${id}`, type: 'session', payload: {} });
    return { ok: true, email };
  });
}
