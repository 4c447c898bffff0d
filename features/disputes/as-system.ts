import type { Ctx } from '#platform/context.ts';

/** What follows from a decision about a dispute is the system's doing, whoever decided. */
export const asSystem = <C extends Ctx>(ctx: C): C => ({
  ...ctx,
  actor: { kind: 'system', name: 'disputes' },
});
