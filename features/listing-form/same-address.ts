import type { ListingForm } from './form.ts';

const plainAddress = ({ address }: ListingForm): string =>
  address
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Whether two forms are about the same address, however it is written. */
export const isSameAddress = (one: ListingForm, other: ListingForm): boolean =>
  plainAddress(one) === plainAddress(other);
