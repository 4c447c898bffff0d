export { eventLabel, partyLabel } from './timeline.ts';

/** What a receipt says beside its QR code. */
export const checkReceipt = {
  title: 'Check this receipt',
  text: 'A receipt is registered when its sale closes. Scan the code or open this address to see when, and by which transaction.',
} as const;
