import type { Ctx } from '#platform/context.ts';
import type { Cell } from './operation.ts';

/** In a row whose name ends in 'as suspended' a buyer acts whom an administrator has suspended; everyone else as always. */
export const suspendedIfSaid = (ctx: Ctx, { row }: Pick<Cell, 'row'>): Ctx =>
  row.endsWith('as suspended') && ctx.actor.kind === 'user' && ctx.actor.role === 'buyer'
    ? { ...ctx, actor: { ...ctx.actor, suspended: true } }
    : ctx;
