import { type RawBuilder, sql } from 'kysely';
import { townLine } from '#features/listings/display.ts';
import { isTestMode } from '#features/sales/rules.ts';
import type { PaymentMethod } from '#gateways/payments/port.ts';
import type { Ctx } from '#platform/context.ts';
import { DAY } from '#platform/durations.ts';
import { type EscrowStage, type StageFacts, stageOf } from './escrow-stages.ts';

/** Sales on one page of the tab In Escrow. */
export const ESCROW_PAGE_SIZE = 25;

/** A property whose buyer's money is held. Integer cents; times ISO, UTC. */
export interface EscrowListing {
  saleId: string;
  propertyId: string;
  address: string;
  town: string;
  sellerName: string;
  buyerName: string;
  totalCents: number;
  method: PaymentMethod;
  /** paid with test keys on a server that takes real payments */
  testMode: boolean;
  stage: EscrowStage;
  /** whole days since the payment */
  days: number;
  /** until when the documents are due or, once they are delivered, when escrow is released; null while something blocks that */
  deadline: string | null;
}

interface Row extends StageFacts {
  saleId: string;
  propertyId: string;
  address: string;
  city: string;
  state: string;
  zip: string;
  sellerName: string;
  buyerName: string;
  totalCents: number;
  method: PaymentMethod;
  livemode: boolean;
  paid: Date;
  releaseDue: Date | null;
}

/** For counting what is in escrow. */
export const fromEscrow: RawBuilder<unknown> = sql`from property_sales s where s.escrow_status = 'in_escrow'`;

/** A page of the sales in escrow, the latest payment first. */
export async function escrowRows(
  ctx: Ctx,
  { limit, offset }: { limit: number; offset: number },
): Promise<EscrowListing[]> {
  const { rows } = await sql<Row>`
    select s.id as "saleId", p.id as "propertyId", p.address, p.city, p.state, p.zip, a.name as "sellerName",
      u.name as "buyerName", s.total_cents as "totalCents", s.payment_method as method, s.livemode, s.sale_date as paid,
      s.frozen_at is not null as frozen, s.cancellation_requested_at is not null as cancellation,
      s.documents_delivered_at is not null as delivered, s.documents_due_at as "documentsDue",
      s.release_due_at as "releaseDue",
      exists (select from disputes d where d.sale_id = s.id and d.status = 'open' and d.kind = 'problem') as problem
    from (select s.id ${fromEscrow} order by s.sale_date desc, s.id desc limit ${limit} offset ${offset}) page
      join property_sales s on s.id = page.id
      join properties p on p.id = s.property_id
      join agents a on a.id = s.agent_id
      join users u on u.id = s.buyer_id
    order by s.sale_date desc, s.id desc`.execute(ctx.db.q());
  return rows.map((row) => escrowListing(ctx, row));
}

function escrowListing(ctx: Ctx, row: Row): EscrowListing {
  const now = ctx.now();
  const stage = stageOf(row, now);
  const dueAt = row.delivered ? row.releaseDue : row.documentsDue;
  const blocked = stage === 'frozen' || stage === 'problem' || stage === 'cancellation';
  return {
    saleId: row.saleId,
    propertyId: row.propertyId,
    address: row.address,
    town: townLine(row),
    sellerName: row.sellerName,
    buyerName: row.buyerName,
    totalCents: row.totalCents,
    method: row.method,
    testMode: isTestMode(ctx.config, row),
    stage,
    days: Math.max(0, Math.floor((now.getTime() - row.paid.getTime()) / DAY)),
    deadline: blocked ? null : (dueAt?.toISOString() ?? null),
  };
}
