import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { csvLine } from '#platform/csv-line.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { type HistoryFilters, historyQuery } from '../history-filters.ts';
import { historyPage, keyFrom } from '../history-list.ts';
import { auditLimits } from '../limits.ts';
import type { HistoryChange, HistoryEntry } from '../model.ts';
import { mayReadHistory } from '../rules.ts';

/** Byte order mark: tells spreadsheets that the file is UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';
const HEADER = ['Time (UTC)', 'Who', 'Role', 'What', 'Record', 'Record Id', 'Before', 'After'];
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
  return file(ctx, filters);
}

async function* file(ctx: Ctx, filters: HistoryFilters): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(HEADER);
  for (let before: string | null = null; ; ) {
    const page = await historyPage(ctx, filters, keyFrom(before), CHUNK);
    yield page.entries.map(lineOf).join('');
    if (page.older === null) return;
    before = page.older;
  }
}

const lineOf = ({ at, who, role, what, record, recordId, changes }: HistoryEntry): string =>
  csvLine([at, who, role, what, record, recordId, told(changes, 'before'), told(changes, 'after')]);

const told = (changes: readonly HistoryChange[], side: 'before' | 'after'): string =>
  changes.flatMap((change) => (change[side] === null ? [] : [`${change.field}: ${change[side]}`])).join('\n');
