import type { SaleTerms } from '#features/sales/amounts.ts';
import type { PaymentMethod } from '#gateways/payments/port.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import type { SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';

/**
 * Where the money of a sale is: nowhere yet (`open`, `submitted`), held (`held`, `disputed`, or `returning` once it is to go
 * back), with the seller (`released`), or no longer here (`over`).
 */
export type Stage = 'open' | 'submitted' | 'held' | 'disputed' | 'returning' | 'released' | 'over';

/** The model of a sale, kept independently of the database. */
export interface MarketSale {
  id: string;
  /** of its checkout */
  ref: string;
  buyer: UserActor;
  method: PaymentMethod;
  terms: SaleTerms;
  stage: Stage;
}

/** A market in which random operations happen. */
export interface Market {
  saleScenario: SaleScenario;
  buyers: UserActor[];
  random: () => number;
  /** sales whose money can still move */
  open: MarketSale[];
  /** what the accounts hold for all other sales, in cents */
  totals: Map<string, number>;
}

/** The stage that the rows of a sale say. */
export async function stageOf(db: Database, saleId: string): Promise<Stage> {
  const sale = await db
    .q()
    .selectFrom('property_sales as s')
    .select(['s.stripe_payment_status as payment', 's.escrow_status as escrow'])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('disputes as d')
          .select('d.id')
          .whereRef('d.sale_id', '=', 's.id')
          // Without a reference of the provider it is a problem that a party reported.
          .where('d.provider_ref', 'is not', null)
          .where('d.status', '=', 'open'),
      ).as('disputed'),
    )
    .where('s.id', '=', saleId)
    .executeTakeFirstOrThrow();
  if (sale.payment === 'failed' || sale.payment === 'refunded') return 'over';
  if (sale.payment === 'pending') return 'open';
  if (sale.payment === 'processing') return 'submitted';
  if (sale.escrow === 'completed') return 'released';
  if (sale.escrow === 'cancelled') return 'returning';
  return sale.disputed ? 'disputed' : 'held';
}
