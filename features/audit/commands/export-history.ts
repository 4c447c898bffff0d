import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import type { FileColumn } from '#platform/table-file/columns.ts';
import { csvFile } from '#platform/table-file/csv.ts';
import { type HistoryFilters, historyQuery } from '../history-filters.ts';
import { historyPage, keyFrom } from '../history-list.ts';
import { auditLimits } from '../limits.ts';
import type { HistoryChange, HistoryEntry } from '../model.ts';
import { mayReadHistory } from '../rules.ts';

const columns: readonly FileColumn<HistoryEntry>[] = [
  { header: 'Time (UTC)', text: ({ at }) => at },
  { header: 'Who', text: ({ who }) => who },
  { header: 'Role', text: ({ role }) => role },
  { header: 'What', text: ({ what }) => what },
  { header: 'Record', text: ({ record }) => record },
  { header: 'Record Id', text: ({ recordId }) => recordId },
  { header: 'Before', text: ({ changes }) => told(changes, 'before') },
  { header: 'After', text: ({ changes }) => told(changes, 'after') },
];
/** Rows read at once. */
const CHUNK = 1000;

/**
 * The filtered history as a CSV file, streamed in chunks, in the words of the list. That it was exported is itself recorded first.
 * @throws Unauthenticated, Forbidden for everyone but administrators; TooManyRequests (20 an hour)
 */
export async function exportHistory(ctx: Ctx, filters: HistoryFilters): Promise<AsyncGenerator<string>> {
  const user = authorizedUser(ctx, mayReadHistory);
  await takeTokens(ctx, auditLimits.export, `user:${user.id}`);
  const { who, ...named } = historyQuery(filters);
  await audit(ctx, {
    action: 'history.export',
    entity: 'audit_log',
    entityId: 'file',
    // Whose actions they are is in the file, not in the log.
    after: { ...named, oneAccount: who === undefined ? undefined : true },
  });
  return csvFile(columns, entries(ctx, filters));
}

async function* entries(ctx: Ctx, filters: HistoryFilters): AsyncGenerator<HistoryEntry[]> {
  for (let before: string | null = null; ; ) {
    const page = await historyPage(ctx, filters, keyFrom(before), CHUNK);
    yield page.entries;
    if (page.older === null) return;
    before = page.older;
  }
}

const told = (changes: readonly HistoryChange[], side: 'before' | 'after'): string =>
  changes.flatMap((change) => (change[side] === null ? [] : [`${change.field}: ${change[side]}`])).join('\n');
