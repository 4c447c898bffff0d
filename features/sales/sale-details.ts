import { sql } from 'kysely';
import { townLine } from '#features/listings/display.ts';
import { mainPicture } from '#features/listings/sql.ts';
import { brandName } from '#features/settings/reads.ts';
import { paysInParts } from '#gateways/payments/providers.ts';
import type { Ctx } from '#platform/context.ts';
import type { PartsReceived, Receipt, SaleView } from './model.ts';
import { payoutMails } from './payout-mails.ts';
import type { SaleRow } from './sale-row.ts';
import { inquiryOf, receivedOf } from './sql.ts';
import { partyLabel } from './timeline.ts';

/** The property of a sale and both parties, as they are now. */
export async function partiesOf(ctx: Ctx, sale: SaleRow) {
  const row = await ctx.db
    .q()
    .selectFrom('properties as p')
    .innerJoin('agents as a', (join) => join.on('a.id', '=', sale.agent_id))
    .innerJoin('users as b', (join) => join.on('b.id', '=', sale.buyer_id))
    .select(['p.id', 'p.address', 'p.city', 'p.state', 'p.zip', 'p.status'])
    .select([
      'a.name as seller_name',
      'a.email as seller_email',
      'b.name as buyer_name',
      'b.email as buyer_email',
    ])
    .where('p.id', '=', sale.property_id)
    .executeTakeFirstOrThrow();
  return {
    property: { id: row.id, address: row.address, town: townLine(row), status: row.status },
    seller: { name: row.seller_name, email: row.seller_email },
    buyer: { name: row.buyer_name, email: row.buyer_email },
  };
}

/** What has arrived of a sale's payment in parts; null for a payment in one piece. */
export async function partsReceived(
  ctx: Ctx,
  { id, provider, total_cents: totalCents }: SaleRow,
): Promise<PartsReceived | null> {
  if (!paysInParts(provider)) return null;
  const { receivedCents } = await ctx.db
    .q()
    .selectNoFrom(receivedOf(sql.val(id)).as('receivedCents'))
    .executeTakeFirstOrThrow();
  return { receivedCents, totalCents };
}

/** The picture and type of the property of a sale, and the conversation of its parties about it. */
export async function surroundingsOf(ctx: Ctx, sale: SaleRow) {
  const row = await ctx.db
    .q()
    .selectFrom('properties as p')
    .leftJoin('property_types as t', 't.id', 'p.type_id')
    .select([mainPicture('p').as('picture'), 't.name as type', 'p.address', inquiryOf(sale).as('inquiry')])
    .where('p.id', '=', sale.property_id)
    .executeTakeFirstOrThrow();
  const { picture, type, address, inquiry } = row;
  return {
    look: { type: type ?? 'Residential', picture: picture && { ...picture, alt: picture.alt || address } },
    inquiryId: inquiry,
  };
}

/** The fees of one side, in the order of the checkout. */
export async function feeLines(ctx: Ctx, saleId: string, side: 'buyer' | 'seller' = 'buyer') {
  const rows = await ctx.db
    .q()
    .selectFrom('transaction_fees as f')
    .select(['f.name', 'f.percent', 'f.amount_applied_cents as cents'])
    .where('f.sale_id', '=', saleId)
    .where('f.applies_to', '=', side)
    .orderBy('f.position')
    .orderBy('f.id')
    .execute();
  return rows.map(({ name, percent, cents }) => ({
    label: percent === null ? name : `${name} (${percent}%)`,
    cents,
  }));
}

const PAYOUT_EVENTS: readonly string[] = Object.keys(payoutMails);

/**
 * What has happened to a sale, oldest first. What was written about the payout, such as why it failed or what the seller owed, is for
 * the seller and administrators alone: `withPayoutNotes`.
 */
export async function historyOf(ctx: Ctx, saleId: string, { withPayoutNotes }: { withPayoutNotes: boolean }) {
  const brand = await brandName(ctx);
  const rows = await ctx.db
    .q()
    .selectFrom('sale_events')
    .select(['id', 'event', 'actor_role', 'note', 'created_at'])
    .where('sale_id', '=', saleId)
    .orderBy('id')
    .execute();
  return rows.map(({ id, event, actor_role, note, created_at }) => ({
    id,
    event,
    by: actor_role as SaleView['party'],
    who: partyLabel(actor_role as SaleView['party'], brand),
    // System notes are for operators; only what a person wrote is shown to the parties.
    note: actor_role === 'system' || (!withPayoutNotes && PAYOUT_EVENTS.includes(event)) ? null : note,
    at: created_at.toISOString(),
  }));
}

/** The refunds that have arrived, oldest first. */
export async function refundsOf(ctx: Ctx, saleId: string): Promise<Receipt['refunds']> {
  const rows = await ctx.db
    .q()
    .selectFrom('refunds')
    .select(['amount_cents', 'settled_at', 'created_at'])
    .where('sale_id', '=', saleId)
    .where('status', '=', 'succeeded')
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(({ amount_cents, settled_at, created_at }) => ({
    cents: amount_cents,
    at: (settled_at ?? created_at).toISOString(),
  }));
}

/** The IP address that the purchase was begun from. */
export async function addressOfPurchase(ctx: Ctx, saleId: string): Promise<string | null> {
  const row = await ctx.db
    .q()
    .selectFrom('audit_log')
    .select('ip')
    .where('entity', '=', 'property_sale')
    .where('entity_id', '=', saleId)
    .where('action', '=', 'sale.begin')
    .executeTakeFirst();
  return row?.ip ?? null;
}
