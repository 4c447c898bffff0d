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

/** Nobody is charged these, so that prices and shares stay as they are. */
const INACTIVE_FEES: readonly (FeeSpec & { appliesTo: string[] })[] = [
  { name: 'Listing Preparation', percent: null, fixedCents: 150_00, appliesTo: ['seller'] },
  { name: 'Wire Handling', percent: null, fixedCents: 25_00, appliesTo: ['buyer', 'seller'] },
];

/** The commission is to change in two months. */
const NEXT_PLATFORM_PERCENT = 18;

/** The platform's commission, with the change that is planned. */
export const platformCommission = (calendar: Calendar): Insertable<DB['commission_settings']> => ({
  admin_percentage: PLATFORM_PERCENT,
  effective_from: calendar.ago(420).toISOString().slice(0, 10),
  next_percentage: NEXT_PLATFORM_PERCENT,
  next_from: calendar.ahead(60).toISOString().slice(0, 10),
});

export interface ServiceFees {
  /** those that are charged */
  fees: readonly Fee[];
  rows: Insertable<DB['service_fees']>[];
}

/** The service fees of the demo market: the buyer pays three, and two are switched off. */
export function serviceFees(calendar: Calendar): ServiceFees {
  const ids = idGenerator('service fee');
  const fees = BUYER_FEES.map((fee) => ({ ...fee, id: ids() }));
  const all = [
    ...fees.map((fee) => ({ ...fee, appliesTo: ['buyer'], active: true })),
    ...INACTIVE_FEES.map((fee) => ({ ...fee, id: ids(), active: false })),
  ];
  const rows = all.map(({ id, name, percent, fixedCents, appliesTo, active }, position) => ({
    id,
    name,
    fee_type: percent === null ? ('fixed' as const) : ('percentage' as const),
    fixed_cents: fixedCents,
    percent,
    applies_to: appliesTo,
    is_active: active,
    position,
    created_at: calendar.ago(420),
    updated_at: calendar.ago(420),
  }));
  return { fees, rows };
}
