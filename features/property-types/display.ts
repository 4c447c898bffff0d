import { statusLabel } from '#features/listings/display.ts';
import { type BoundedCount, countText } from '#platform/counts.ts';
import type { TypeUse } from './model.ts';

const properties = (count: BoundedCount): string =>
  `${countText(count)} ${count.count === 1 ? 'property' : 'properties'}`;

/** 'Affects 312 properties: 290 Active, 22 Sold' */
export function affectsText({ total, byStatus }: TypeUse): string {
  const parts = byStatus.map((one) => `${countText(one)} ${statusLabel[one.status]}`);
  return `Affects ${properties(total)}${parts.length > 0 ? `: ${parts.join(', ')}` : ''}`;
}

/** What switching a type off does. */
export const deactivationText = ({ total }: TypeUse): string =>
  total.count === 0
    ? 'While it is off, it cannot be chosen. No property has this type.'
    : `While it is off, it cannot be chosen. ${properties(total)} ${total.count === 1 ? 'keeps' : 'keep'} this type.`;
