import type { Ctx } from '#platform/context.ts';
import { publish } from '#platform/events/events.ts';

/** Lets open pages know that an import has changed; in the transaction that changes it. */
export async function announceImport(ctx: Ctx, { id, made_by }: { id: string; made_by: string | null }) {
  const event = { type: 'import.changed', payload: { import: id } };
  await publish(ctx, { audience: 'role:admin', ...event });
  if (made_by) await publish(ctx, { audience: `user:${made_by}`, ...event });
}
