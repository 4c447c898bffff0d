import type { Ctx } from '#platform/context.ts';

/** Entries, tasks and what follows from a provider's answer belong to the system, whoever asked for it. */
export const asPayouts = <C extends Ctx>(ctx: C): C => ({
  ...ctx,
  actor: { kind: 'system', name: 'payouts' },
});
