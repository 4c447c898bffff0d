import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { historyColumns, rowsInWords } from './history-rows.ts';
import type { RecordHistoryPage } from './model.ts';
import { mayReadHistory } from './rules.ts';

/** Rows on one page of a record's history. */
const PAGE_SIZE = 20;

interface RecordHistoryInput {
  /** as in `audit_log.entity` */
  entity: string;
  /** of one record, or of several whose history is told together */
  entityId: string | readonly string[];
  /** `older` of the page before, as the browser sends it; anything but a number means the first page */
  before?: string | null | undefined;
}

/**
 * What was done to a record, in words, the latest first, by pages of 20.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function recordHistory(
  ctx: Ctx,
  { entity, entityId, before }: RecordHistoryInput,
): Promise<RecordHistoryPage> {
  authorize(ctx, mayReadHistory);
  const key = before && /^[1-9]\d{0,14}$/.test(before) ? Number(before) : null;
  const found = await ctx.db
    .q()
    .selectFrom('audit_log')
    .select(historyColumns)
    .where('entity', '=', entity)
    .where(
      'entity_id',
      'in',
      [entityId].flat().map((id) => id.replaceAll('\0', '')),
    )
    .$if(key !== null, (rows) => rows.where('id', '<', key))
    .orderBy('id', 'desc')
    .limit(PAGE_SIZE + 1)
    .execute();
  const page = found.slice(0, PAGE_SIZE);
  return {
    entries: await rowsInWords(ctx, page),
    older: found.length > PAGE_SIZE ? (page.at(-1)?.id ?? null) : null,
    isLater: key !== null,
  };
}
