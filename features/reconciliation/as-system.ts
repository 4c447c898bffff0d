import type { Ctx } from '#platform/context.ts';

/** Entries, breaks and tasks belong to the system, whoever triggered them. */
export const asSystem = <C extends Ctx>(ctx: C): C => ({
  ...ctx,
  actor: { kind: 'system', name: 'reconciliation' },
});
