import type { EntryKind } from '#features/ledger/model.ts';
import type { BookingKind } from './facts.ts';

interface PostedCents {
  /** the entry's idempotency key: a step, what it is about, and the sale, separated by colons */
  key: string;
  entry: EntryKind;
  saleId: string | null;
  /** debits positive */
  cents: number;
}

/** Kinds by the direction of a posting on clearing: money that came, money that left. */
const KINDS: Partial<Record<EntryKind, [came: BookingKind, left: BookingKind]>> = {
  L1: ['payment', 'refund'],
  L3: ['transfer_return', 'transfer'],
  L4: ['refund_return', 'refund'],
  L5: ['dispute_return', 'dispute'],
  L6: ['payment', 'refund'],
  L8: ['bank_payout_return', 'bank_payout'],
};

/** Numbers in keys; the references of PayPal have 13 characters, which may all be digits. */
const ATTEMPT_OR_CENTS = /^\d{0,12}$/;

/**
 * What a posting on clearing says happened at the provider, and the provider's reference of it where its entry bears one.
 * Corrections say nothing of the kind.
 */
export function describePosting({ key, entry, saleId, cents }: PostedCents): {
  kind: BookingKind | null;
  ref: string | null;
} {
  const [step = '', ...about] = key.split(':').filter((part) => part !== saleId);
  const ref = about.find((part) => !ATTEMPT_OR_CENTS.test(part)) ?? null;
  if (/^(?:cost|fee)\b|-(?:cost|fee)s?\b/.test(step)) return { kind: 'fee', ref };
  const [came, left] = KINDS[entry] ?? [null, null];
  return { kind: cents > 0 ? came : left, ref };
}
