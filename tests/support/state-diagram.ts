import type { EscrowStatus, PaymentStatus } from '#features/sales/model.ts';
import { transitions } from '#features/sales/transitions.ts';

const name = (payment: PaymentStatus, escrow: EscrowStatus) => `${payment}__${escrow}`;
const label = (id: string) => id.replace('__', ' · ');

/** The transition table as a Mermaid state diagram for docs/money.md; events that keep the state become notes. */
export function renderStateDiagram(): string {
  const arrows = new Map<string, string[]>();
  const unchanged = new Map<string, string[]>();
  const add = (map: Map<string, string[]>, key: string, event: string) =>
    map.set(key, [...new Set([...(map.get(key) ?? []), event])]);
  // Only states that a sale can reach are drawn.
  const reached = [name('pending', 'pending')];
  for (const from of reached) {
    const [payment, escrow] = from.split('__') as [PaymentStatus, EscrowStatus];
    for (const row of transitions) {
      // Payouts have a picture of their own.
      if (row.payout || !row.payment.includes(payment) || !row.escrow.includes(escrow)) continue;
      const to = name(row.to.payment ?? payment, row.to.escrow ?? escrow);
      if (to === from) add(unchanged, from, row.event);
      else add(arrows, `${from} --> ${to}`, row.event);
      if (!reached.includes(to)) reached.push(to);
    }
  }
  return [
    'stateDiagram-v2',
    ...reached.map((id) => `  state "${label(id)}" as ${id}`),
    `  [*] --> ${reached[0]}: begin`,
    ...[...arrows].map(([arrow, events]) => `  ${arrow}: ${events.join(', ')}`),
    ...[...unchanged].map(([id, events]) => `  note right of ${id}: stays by ${events.join(', ')}`),
  ].join('\n');
}

/** How the payout of a released sale moves, as a Mermaid state diagram for docs/money.md. */
export function renderPayoutDiagram(): string {
  const arrows = transitions.flatMap(({ payout = [], to, event }) =>
    payout.map((from) => `  ${from} --> ${to.payout ?? from}: ${event}`),
  );
  return ['stateDiagram-v2', '  [*] --> pending: release', ...arrows].join('\n');
}
