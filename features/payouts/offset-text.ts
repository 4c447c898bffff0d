import { dollarsAndCents } from '#platform/money.ts';

/** What a seller is told when a payout was less by what the seller owed, in cents. */
export const offsetText = (cents: number): string =>
  `${dollarsAndCents(cents)} that you owed for an earlier sale was deducted.`;
