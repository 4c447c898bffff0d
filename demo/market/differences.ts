import type { Insertable } from 'kysely';
import { defaultAccount } from '#gateways/payments/sandbox/rules.ts';
import type { DB } from '#platform/db/schema.gen.ts';
import { dollarsAndCents } from '#platform/money.ts';
import type { Calendar } from './calendar.ts';
import { idGenerator } from './ids.ts';
import { providerAccountIds } from './sales/sale.ts';

/** Differences between the books and the sandbox provider, as the reconciliation finds them. */
export interface Differences {
  atProvider: Insertable<DB['sandbox_transactions']>[];
  transactions: (Insertable<DB['provider_transactions']> & { id: string })[];
  breaks: (Insertable<DB['breaks']> & { id: string })[];
  approvals: Insertable<DB['break_approvals']>[];
  tasks: Insertable<DB['admin_tasks']>[];
}

interface Booked {
  kind: 'payment' | 'adjustment';
  cents: number;
  daysAgo: number;
  breakKind: 'orphan_charge' | 'unknown_transaction';
  title: string;
}

const booked: Booked[] = [
  {
    kind: 'payment',
    cents: 48_000,
    daysAgo: 9,
    breakKind: 'orphan_charge',
    title: 'A payment belongs to no sale',
  },
  {
    kind: 'adjustment',
    cents: -1_240,
    daysAgo: 3,
    breakKind: 'unknown_transaction',
    title: 'The provider booked something that nothing here explains',
  },
  {
    kind: 'adjustment',
    cents: -26_000,
    daysAgo: 12,
    breakKind: 'unknown_transaction',
    title: 'The provider booked something that nothing here explains',
  },
];

/** An open difference of each age; the write-off of the last one waits for an administrator other than `askerId`. */
export function differences(askerId: string, calendar: Calendar): Differences {
  const id = idGenerator('differences');
  const account = defaultAccount('card');
  const found: Differences = { atProvider: [], transactions: [], breaks: [], approvals: [], tasks: [] };
  for (const [index, { kind, cents, daysAgo, breakKind, title }] of booked.entries()) {
    const ref = `txn_sandbox_demo_${index + 1}`;
    const at = calendar.ago(daysAgo);
    const transactionId = id();
    const breakId = id();
    const waits = index === booked.length - 1;
    found.atProvider.push({
      ...account,
      ref,
      kind,
      amount_cents: cents,
      created_at: at,
      available_at: at,
    });
    found.transactions.push({
      id: transactionId,
      provider_account_id: providerAccountIds.card,
      ref,
      kind,
      amount_cents: cents,
      fee_cents: 0,
      currency: 'usd',
      booked_at: at,
      stored_at: at,
      fee_settled_at: at,
    });
    const detail = `At the provider ${dollarsAndCents(cents)}, in the books $0.00: ${ref}.`;
    found.breaks.push({
      id: breakId,
      kind: breakKind,
      subject: ref,
      provider_account_id: providerAccountIds.card,
      expected_cents: 0,
      actual_cents: cents,
      detail,
      evidence: JSON.stringify({ reference: ref }),
      freezes: false,
      state: waits ? 'awaiting_approval' : 'open',
      provider_transaction_id: transactionId,
      created_at: calendar.ago(daysAgo - 1),
    });
    found.tasks.push({
      id: id(),
      kind: 'break_found',
      severity: 'critical',
      subject_type: 'break',
      subject_id: breakId,
      detail: `${title}. ${detail}`,
      created_at: calendar.ago(daysAgo - 1),
    });
    if (waits)
      found.approvals.push({
        id: id(),
        break_id: breakId,
        amount_cents: -cents,
        reason: 'A charge of the provider that it cannot explain anymore.',
        requested_by: askerId,
        requested_at: calendar.ago(2),
      });
  }
  return found;
}
