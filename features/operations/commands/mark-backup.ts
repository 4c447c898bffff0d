import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { cutText } from '#platform/cut-text.ts';
import { mayMarkBackups } from '../rules.ts';

/** The action of the audit row that says when a backup was taken. */
export const BACKUP_MARK = 'backup.mark';

/**
 * Records that a backup was taken just now, for the page that administrators look at. The operator's script says so when its copy
 * is safe.
 * @param note what was backed up and where, at most 500 characters
 * @throws Unauthenticated, Forbidden for every user
 */
export async function markBackup(ctx: Ctx, { note }: { note: string }): Promise<void> {
  authorize(ctx, mayMarkBackups);
  await audit(ctx, {
    action: BACKUP_MARK,
    entity: 'database',
    entityId: 'backup',
    after: { note: cutText(note, 500) },
  });
}
