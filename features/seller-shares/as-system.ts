import type { Ctx } from '#platform/context.ts';

/** What follows from a provider's answer belongs to the system, whoever asked for it. */
export const asSystem = (ctx: Ctx): Ctx => ({ ...ctx, actor: { kind: 'system', name: 'payouts' } });
