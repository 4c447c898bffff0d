import type { Insertable } from 'kysely';
import type { DB } from '#platform/db/schema.gen.ts';
import type { Calendar } from './calendar.ts';
import type { People } from './people.ts';

/** The sellers' accounts for payouts, with us and in the books of the sandbox, which knows what each of them lacks. */
export function payoutAccounts({ sellers }: Pick<People, 'sellers'>, calendar: Calendar) {
  const ours: Insertable<DB['seller_accounts']>[] = [];
  const theirs: Insertable<DB['sandbox_accounts']>[] = [];
  for (const { id, name, email, row } of sellers) {
    const ref = row.stripe_account_id;
    if (!ref || !row.registered_at) continue;
    const of = { name, email, ref, created_at: row.registered_at, livemode: false };
    ours.push({ ...of, agent_id: id, provider: 'sandbox-connect', checked_at: calendar.ago(0.2) });
    theirs.push({
      ...of,
      agent_id: id,
      account: 'sandbox',
      submitted_at: row.registered_at,
      transfers_active: row.stripe_transfers_active ?? false,
      requirement: row.stripe_requirement ?? null,
    });
  }
  return { ours, theirs };
}
