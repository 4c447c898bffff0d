import type Stripe from 'stripe';
import type { ProviderTransaction, TransactionKind } from '../port.ts';

/**
 * Converts a balance transaction with its source expanded. Stripe names no checkout in it, and no sale for a dispute: those
 * are found by the payment, by which a charge of no sale is refunded, too.
 */
export function providerTransaction(transaction: Stripe.BalanceTransaction): ProviderTransaction {
  const { id, amount, fee, currency, reporting_category: category, created, source } = transaction;
  return {
    ref: id,
    kind: KINDS.get(category) ?? 'adjustment',
    amountCents: amount,
    feeCents: fee,
    currency,
    checkoutRef: null,
    ...(typeof source === 'object' && source !== null ? sourceRefs(source) : unnamed(source)),
    at: new Date(created * 1000),
  };
}

/** Metadata key of the refund that one of Stripe's is a part of. */
export const REFUND_OF = 'refund';

/** Stripe's reporting categories; `adjustment` is everything else. */
const KINDS: ReadonlyMap<string, TransactionKind> = new Map([
  ['charge', 'payment'],
  ['refund', 'refund'],
  ['partial_capture_reversal', 'refund'],
  ['refund_failure', 'refund_return'],
  ['dispute', 'dispute'],
  ['dispute_reversal', 'dispute_return'],
  ['fee', 'fee'],
  ['network_cost', 'fee'],
  ['tax', 'fee'],
  ['payout', 'bank_payout'],
  ['payout_reversal', 'bank_payout_return'],
  ['transfer', 'transfer'],
  ['transfer_reversal', 'transfer_return'],
]);

type SourceRefs = Pick<ProviderTransaction, 'paymentRef' | 'objectRef' | 'saleId'>;

const unnamed = (objectRef: string | null): SourceRefs => ({ paymentRef: null, objectRef, saleId: null });

function sourceRefs(source: Stripe.BalanceTransactionSource): SourceRefs {
  switch (source.object) {
    case 'charge':
      return { paymentRef: idOf(source.payment_intent), objectRef: null, saleId: saleOf(source) };
    case 'refund':
      // A refund that is drawn on several payments is several of Stripe's.
      return {
        paymentRef: idOf(source.payment_intent),
        objectRef: source.metadata?.[REFUND_OF] ?? source.id,
        saleId: saleOf(source),
      };
    case 'dispute':
      return { paymentRef: idOf(source.payment_intent), objectRef: source.id, saleId: saleOf(source) };
    case 'transfer':
      return { paymentRef: null, objectRef: source.id, saleId: saleOf(source) };
    case 'transfer_reversal':
      return { paymentRef: null, objectRef: idOf(source.transfer), saleId: saleOf(source) };
    default:
      return unnamed(source.id);
  }
}

interface OfSale {
  metadata?: Stripe.Metadata | null;
  transfer_group?: string | null;
}

/** Everything that is made for a sale says so in its metadata, or in its transfer group. */
function saleOf({ metadata, transfer_group }: OfSale): string | null {
  return metadata?.sale_id || (/^sale_(.+)$/.exec(transfer_group ?? '')?.[1] ?? null);
}

function idOf(field: string | { id: string } | null): string | null {
  return typeof field === 'string' ? field : (field?.id ?? null);
}
