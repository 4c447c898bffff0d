import type { Insertable } from 'kysely';
import type { Fee } from '#features/fees/model.ts';
import type { DB } from '#platform/db/schema.gen.ts';
import type { Calendar } from './calendar.ts';
import { idGenerator } from './ids.ts';

/** The platform's share of a sale in percent, unless the seller has their own commission rate. */
export const PLATFORM_PERCENT = 20;

interface FeeSpec {
  name: string;
  percent: number | null;
  fixedCents: number | null;
}
const BUYER_FEES: readonly FeeSpec[] = [
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
  const ids = idGenerator('service fee');
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
