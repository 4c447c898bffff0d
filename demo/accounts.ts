import { DEMO_PASSWORD } from '#features/accounts/model.ts';
import { matchingHash } from '#platform/auth/password.ts';
import type { Database } from '#platform/db/database.ts';
import { calendarAt } from './market/calendar.ts';
import { people } from './market/people.ts';

/** Thrown when a market that is no demo holds demo accounts that still open with their published password. */
export class DemoAccountsOpen extends Error {
  override name = 'DemoAccountsOpen';
  constructor(accounts: number) {
    super(
      `DEMO is off, but ${accounts} demo ${accounts === 1 ? 'account' : 'accounts'} in this database can be opened by anyone ` +
        'with the published password. Set DEMO=on, start on a database of its own, or disable them: npm run demo:disable',
    );
  }
}

// The market is the same on every load, so its ids are known without the day on which it was loaded.
const { accounts, invitation } = people(calendarAt(new Date(0)), '');
const accountIds = accounts.map(({ id }) => id);

/** @throws DemoAccountsOpen when the published password opens any account of the demo market */
export async function refuseOpenDemoAccounts(db: Database): Promise<void> {
  const open = await openAccounts(db);
  if (open.length > 0) throw new DemoAccountsOpen(open.length);
}

/**
 * Takes the published password from the demo accounts, ends their sessions and the published invitation. Everything else of the
 * demo market stays; accounts whose password was changed keep it.
 * @returns how many accounts were disabled
 */
export async function disableDemoAccounts(db: Database, now: Date): Promise<number> {
  const open = await openAccounts(db);
  await db.tx(async () => {
    if (open.length > 0) {
      await db.q().updateTable('credentials').set({ password: null }).where('user_id', 'in', open).execute();
      await db.q().deleteFrom('sessions').where('user_id', 'in', open).execute();
    }
    await db
      .q()
      .updateTable('agent_invitations')
      .set({ expires_at: now })
      .where('id', '=', invitation.id ?? '')
      .where('expires_at', '>', now)
      .execute();
  });
  return open.length;
}

async function openAccounts(db: Database): Promise<string[]> {
  const credentials = await db
    .q()
    .selectFrom('credentials')
    .select(['user_id', 'password'])
    .where('user_id', 'in', accountIds)
    .where('password', 'is not', null)
    .execute();
  // They were loaded with one hash, so that few are left to compare.
  const hashes = new Set(credentials.map(({ password }) => password));
  const matching = await Promise.all([...hashes].map((hash) => matchingHash(hash, DEMO_PASSWORD)));
  return credentials.filter(({ password }) => matching.includes(password)).map(({ user_id }) => user_id);
}
