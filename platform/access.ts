import type { Actor, Ctx, Role, UserActor } from './context.ts';
import { Forbidden, Unauthenticated } from './errors.ts';

/** Who may do an operation. Each feature names its permissions in `rules.ts` with these. */
export type Permission = (actor: Actor) => boolean;

export const anyone: Permission = () => true;
/** Jobs and the command line alone. */
export const nobody: Permission = () => false;
export const signedIn: Permission = (actor) => actor.kind === 'user';
export const hasRole =
  (...roles: Role[]): Permission =>
  (actor) =>
    actor.kind === 'user' && roles.includes(actor.role);

/**
 * The first line of every read and command (B-015).
 * @throws Unauthenticated for a visitor, Forbidden for a user who may not
 */
export function authorize(ctx: Ctx, permission: Permission): void {
  if (ctx.actor.kind === 'system' || permission(ctx.actor)) return;
  throw ctx.actor.kind === 'visitor' ? new Unauthenticated() : new Forbidden();
}

/**
 * The signed-in user, once the permission holds.
 * @throws Unauthenticated, Forbidden
 */
export function authorizedUser(ctx: Ctx, permission: Permission = signedIn): UserActor {
  authorize(ctx, permission);
  if (ctx.actor.kind !== 'user') throw new Unauthenticated();
  return ctx.actor;
}
