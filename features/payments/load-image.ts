import { sql } from 'kysely';
import { loadBooks } from '#features/sales/load-books.ts';
import { amountsOf, factsOf, hasLetGo, type SaleRow, stateOf } from '#features/sales/sale-row.ts';
import type { Ctx } from '#platform/context.ts';
import type { RecordedBreak, RecordedDispute, SaleImage } from './sale-image.ts';

/**
 * All that is on record about a locked sale's money.
 * @param available whether its property could still be sold to this buyer
 */
export async function loadImage(ctx: Ctx, sale: SaleRow, available: boolean): Promise<SaleImage> {
  const { rows } = await sql<{ disputes: RecordedDispute[]; breaks: RecordedBreak[] }>`select
    (select coalesce(jsonb_agg(jsonb_build_object('ref', d.provider_ref, 'kind', d.kind, 'status', d.status,
        'amountCents', d.amount_cents, 'feeCents', d.fee_cents, 'withdrawnCents', d.withdrawn_cents)
        order by d.created_at, d.provider_ref), '[]')
      from disputes d where d.sale_id = ${sale.id} and d.kind <> 'problem') as disputes,
    (select coalesce(jsonb_agg(jsonb_build_object('kind', b.kind, 'subject', b.subject, 'open', b.state <> 'resolved')
        order by b.created_at, b.id), '[]')
      from breaks b where b.sale_id = ${sale.id}) as breaks`.execute(ctx.db.q());
  const { disputes = [], breaks = [] } = rows[0] ?? {};
  await holdProperty(ctx, sale);
  const facts = await factsOf(ctx, sale);
  return {
    ...(await loadBooks(ctx, sale.id)),
    saleId: sale.id,
    state: stateOf(sale),
    amounts: amountsOf(sale),
    livemode: sale.livemode,
    available,
    frozen: facts.frozen,
    providerFeeCents: sale.provider_fee_cents,
    disputes,
    breaks,
    facts,
  };
}

/** Beginning a purchase and offering a property lock it: neither happens while it is decided whether this sale holds it again. */
async function holdProperty(ctx: Ctx, sale: SaleRow): Promise<void> {
  if (!hasLetGo(sale)) return;
  await ctx.db
    .q()
    .selectFrom('properties')
    .select('id')
    .where('id', '=', sale.property_id)
    .forUpdate()
    .executeTakeFirst();
}
