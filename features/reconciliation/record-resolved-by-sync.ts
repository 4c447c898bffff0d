import type { Ctx } from '#platform/context.ts';
import type { Finding } from './findings.ts';
import type { Subject } from './report-finding.ts';

/**
 * Records as resolved the breaks that ended when the provider was asked about their sales, so that nobody has to
 * look at them. What the sale itself has reported as a break is left to that.
 * @returns how many
 */
export async function recordResolvedBySync(
  ctx: Ctx,
  accountId: string,
  before: readonly (Finding & Subject)[],
  after: readonly (Finding & Subject)[],
): Promise<number> {
  const left = new Set(after.map(({ subject }) => subject));
  const resolved = before.filter(({ subject, saleId }) => saleId !== null && !left.has(subject));
  let count = 0;
  await ctx.db.tx(async () => {
    for (const { kind, subject, saleId, bookingId, postingIds, theirsCents, oursCents, facts } of resolved) {
      const known = await ctx.db
        .q()
        .selectFrom('breaks')
        .select('id')
        .where('sale_id', '=', saleId)
        .where((where) =>
          where.or([
            where('subject', '=', subject),
            where('provider_transaction_id', '=', bookingId),
            ...(typeof facts.objectRef === 'string' ? [where('subject', '=', facts.objectRef)] : []),
          ]),
        )
        .executeTakeFirst();
      if (known) continue;
      count += 1;
      await ctx.db
        .q()
        .insertInto('breaks')
        .values({
          kind,
          subject,
          sale_id: saleId,
          provider_account_id: accountId,
          provider_transaction_id: bookingId,
          posting_ids: postingIds,
          expected_cents: oursCents,
          actual_cents: theirsCents,
          detail: 'Found by reconciliation, and mended by asking the provider about the sale.',
          evidence: JSON.stringify(facts),
          state: 'resolved',
          resolution: 'matched',
          note: '',
          created_at: ctx.now(),
          resolved_at: ctx.now(),
        })
        .execute();
    }
  });
  return count;
}
