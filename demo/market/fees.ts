import type { Insertable } from 'kysely';
import type { Fee } from '#features/fees/model.ts';
import type { DB } from '#platform/db/schema.gen.ts';
import type { Calendar } from './calendar.ts';
import { idFor } from './ids.ts';

/** What the platform keeps of a sale unless the seller has a rate of their own, in percent (S0 §9). */
export const PLATFORM_PERCENT = 20;

interface Sketch {
  name: string;
  percent: number | null;
  fixedCents: number | null;
}
const BUYER_FEES: readonly Sketch[] = [
  { name: 'Buyer Protection', percent: 1.5, fixedCents: null },
  { name: 'Title & Escrow', percent: 0.5, fixedCents: null },
  { name: 'Closing Coordination', percent: null, fixedCents: 495_00 },
];

export interface ServiceFees {
  fees: readonly Fee[];
  rows: Insertable<DB['service_fees']>[];
}

/** The three service fees of the demo market, all paid by the buyer. */
export function serviceFees(calendar: Calendar): ServiceFees {
  const ids = idFor('service fee');
  const fees = BUYER_FEES.map((fee) => ({ ...fee, id: ids() }));
  const rows = fees.map(({ id, name, percent, fixedCents }, position) => ({
    id,
    name,
    fee_type: percent === null ? ('fixed' as const) : ('percentage' as const),
    fixed_cents: fixedCents,
    percent,
    applies_to: ['buyer'],
    is_active: true,
    position,
    created_at: calendar.ago(420),
    updated_at: calendar.ago(420),
  }));
  return { fees, rows };
}
