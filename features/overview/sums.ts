import { type RawBuilder, sql } from 'kysely';
import { isMoney, priceLeft, shareLeft } from '#features/sales/sql.ts';
import type { Ctx } from '#platform/context.ts';
import { boundedCount } from '#platform/db/bounded-count.ts';

/** Rows of a large table, and what is summed up over them, by the names of the sums. */
interface Summed {
  from: (ctx: Pick<Ctx, 'config'>) => RawBuilder<unknown>;
  sums: Record<string, RawBuilder<number>>;
}

/** What the dashboard sums up however much there is of it, by its name in the table `totals`. Cents, percent 0–100. */
export const summed = {
  'closed sales': {
    from: ({ config }) => sql`from property_sales s where s.stripe_payment_status = 'completed'
      and s.escrow_status = 'completed' and ${isMoney(config)}`,
    sums: { cents: priceLeft, adminFeesCents: sql<number>`${priceLeft} - ${shareLeft}` },
  },
  sellers: {
    from: () => sql`from agents a where a.archived_at is null`,
    sums: {
      ownRates: sql<number>`coalesce(a.commission_rate, 0)`,
      withoutRate: sql<number>`case when a.commission_rate is null then 1 else 0 end`,
    },
  },
} satisfies Record<string, Summed>;
export type SummedName = keyof typeof summed;

interface Sums<Name extends SummedName> {
  count: number;
  sums: Record<keyof (typeof summed)[Name]['sums'], number>;
}

/** SQL of the count and the sums, as columns `count` and `sums`. */
export function sumsSql(ctx: Pick<Ctx, 'config'>, name: SummedName): RawBuilder<unknown> {
  const { from, sums }: Summed = summed[name];
  const fields = Object.entries(sums).flatMap(([field, of]) => [
    sql.lit(field),
    sql`coalesce(sum(${of}), 0)`,
  ]);
  return sql`select count(*)::integer as count, jsonb_build_object(${sql.join(fields)}) as sums ${from(ctx)}`;
}

/**
 * How many there are and what they come to: as it is now, of more than 10,000 as the job summed up last, minutes ago. Whoever calls this
 * has decided that the actor may know.
 */
export async function sumsOf<Name extends SummedName>(ctx: Ctx, name: Name): Promise<Sums<Name>> {
  const { more, count } = await boundedCount(ctx, summed[name].from(ctx));
  const stored = more
    ? await ctx.db
        .q()
        .selectFrom('totals')
        .select(['count', 'sums'])
        .where('name', '=', name)
        .executeTakeFirst()
    : undefined;
  // What was summed up before there were that many is too far from the truth.
  if (stored && stored.count > count) return stored as Sums<Name>;
  const { rows } = await sql<Sums<Name>>`${sumsSql(ctx, name)}`.execute(ctx.db.q());
  return rows[0] as Sums<Name>;
}
