import { sql } from 'kysely';
import { authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { readExportLink } from './export-link.ts';
import { mayAnswerDataRequests, mayExportOwnData } from './rules.ts';
import { account, sections } from './sections.ts';

const PAGE_SIZE = 500;

/**
 * Everything that the database holds about the user, streamed as JSON: the account, then each section, oldest rows
 * first. Read page by page, so that a slow client holds neither memory nor a connection. Amounts are in dollars, times
 * in ISO 8601 with their zone.
 * @throws Unauthenticated, immediately rather than with the first chunk
 */
export function exportOwnData(ctx: Ctx): AsyncIterable<string> {
  const { id } = authorizedUser(ctx, mayExportOwnData);
  return chunks(ctx, id);
}

/**
 * The same of somebody else, by the link of an export that this administrator has prepared (`prepareExport`).
 * @throws Unauthenticated, Forbidden for everyone but administrators, NotFound for any other link or an expired one; immediately
 */
export function exportRequestedData(ctx: Ctx, { link }: { link: string }): AsyncIterable<string> {
  const { id } = authorizedUser(ctx, mayAnswerDataRequests);
  const userId = readExportLink(ctx, id, link);
  if (userId === null) throw new NotFound('This link is not valid or has expired.');
  return chunks(ctx, userId);
}

async function* chunks(ctx: Ctx, userId: string): AsyncGenerator<string> {
  const { rows } = await account(userId).execute(ctx.db.q());
  yield `{\n"writtenAt": ${JSON.stringify(ctx.now())},\n"account": ${JSON.stringify(rows[0]?.data ?? null)}`;
  for (const [name, rowsOf] of Object.entries(sections)) {
    yield `,\n"${name}": [`;
    let last: Row | undefined;
    for (;;) {
      const page = await readPage(ctx, rowsOf(userId), last);
      const separator = last ? ',\n' : '\n';
      if (page.length > 0) yield separator + page.map(({ data }) => JSON.stringify(data)).join(',\n');
      last = page.at(-1) ?? last;
      if (page.length < PAGE_SIZE) break;
    }
    yield ']';
  }
  yield '\n}\n';
}

interface Row {
  /** accurate to the microsecond, unlike a Date */
  moment: string;
  key: string;
  data: unknown;
}

async function readPage(ctx: Ctx, from: ReturnType<(typeof sections)[string]>, last?: Row): Promise<Row[]> {
  const afterLast = last ? sql`where (at, key) > (${last.moment}::timestamptz, ${last.key})` : sql``;
  const { rows } = await sql<Row>`select at::text as moment, key, data from (${from}) kind ${afterLast}
    order by at, key limit ${PAGE_SIZE}`.execute(ctx.db.q());
  return rows;
}
