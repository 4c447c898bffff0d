import { sql } from 'kysely';
import { authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { mayHaveOwnData } from './rules.ts';
import { account, sections } from './sections.ts';

const AT_ONCE = 500;

/**
 * Everything that the database holds of the person, as JSON in pieces: the account, then each kind of row in the order
 * in which it came to be. Read page by page, so that neither memory nor a connection is held while somebody's slow line
 * takes it. Amounts are dollars, times are ISO with their zone.
 * @throws Unauthenticated, at once and not with the first piece
 */
export function ownData(ctx: Ctx): AsyncIterable<string> {
  const { id } = authorizedUser(ctx, mayHaveOwnData);
  return pieces(ctx, id);
}

async function* pieces(ctx: Ctx, userId: string): AsyncGenerator<string> {
  const { rows } = await account(userId).execute(ctx.db.q());
  yield `{\n"writtenAt": ${JSON.stringify(ctx.now())},\n"account": ${JSON.stringify(rows[0]?.data ?? null)}`;
  for (const [name, rowsOf] of Object.entries(sections)) {
    yield `,\n"${name}": [`;
    let last: Row | undefined;
    for (;;) {
      const page = await pageOf(ctx, rowsOf(userId), last);
      const separator = last ? ',\n' : '\n';
      if (page.length > 0) yield separator + page.map(({ data }) => JSON.stringify(data)).join(',\n');
      last = page.at(-1) ?? last;
      if (page.length < AT_ONCE) break;
    }
    yield ']';
  }
  yield '\n}\n';
}

interface Row {
  /** exact to the microsecond, which a Date is not */
  moment: string;
  key: string;
  data: unknown;
}

async function pageOf(ctx: Ctx, from: ReturnType<(typeof sections)[string]>, last?: Row): Promise<Row[]> {
  const behind = last ? sql`where (at, key) > (${last.moment}::timestamptz, ${last.key})` : sql``;
  const { rows } = await sql<Row>`select at::text as moment, key, data from (${from}) kind ${behind}
    order by at, key limit ${AT_ONCE}`.execute(ctx.db.q());
  return rows;
}
