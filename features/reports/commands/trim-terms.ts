import { sql } from 'kysely';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { DAY } from '#platform/durations.ts';
import { MOST_TERMS } from '../model.ts';
import { mayKeepReports } from '../rules.ts';

/** Events may be folded late. */
const GRACE_MS = 8 * DAY;

/**
 * Forgets the rarest searches of days and months that are over, so that the report stays fast.
 * @throws Unauthenticated, Forbidden for every user
 */
export async function trimTerms(ctx: Ctx): Promise<void> {
  authorize(ctx, mayKeepReports);
  const over = new Date(ctx.now().getTime() - GRACE_MS).toISOString().slice(0, 10);
  await sql`delete from report_terms t using (
      select span, start, term, row_number() over (partition by span, start order by searches desc, term) as place,
        row_number() over (partition by span, start order by empty desc, term) as empty_place
      from report_terms where kind = 'words'
        and case span when 'day' then start < ${over} else start < date_trunc('month', ${over}::date) end) ranked
    where t.kind = 'words' and t.span = ranked.span and t.start = ranked.start and t.term = ranked.term
      and ranked.place > ${MOST_TERMS} and ranked.empty_place > ${MOST_TERMS}`.execute(ctx.db.q());
}
