import type { Ctx } from '#platform/context.ts';

/** Runs are worked, and their tasks opened and closed, by the system, whoever asked for them. */
export const asSystem = <C extends Ctx>(ctx: C): C => ({
  ...ctx,
  actor: { kind: 'system', name: 'payouts' },
});
