import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Database } from '#platform/db/database.ts';
import { MINUTE } from '#platform/durations.ts';
import type { SellerAccount } from '../port.ts';
import { sellerAccount } from './accounts.ts';
import { LINK_MINUTES } from './rules.ts';

/** The path of a seller's own page at the sandbox, valid for some minutes. `secret` is the application's. */
export function loginPath(ref: string, secret: string, now: Date): string {
  const until = now.getTime() + LINK_MINUTES * MINUTE;
  return `/sandbox/account/${ref}.${until}.${sign(ref, until, secret)}`;
}

const sign = (ref: string, until: number, secret: string): string =>
  createHmac('sha256', secret).update(`sandbox account ${ref} ${until}`).digest('hex');

/** What a seller's own page shows. Cents. */
interface SandboxLogin extends SellerAccount {
  name: string;
  email: string;
  balanceCents: number;
}

/** The page of a link, or null when nobody made it or its time is over. */
export async function readLoginPage(
  db: Database,
  token: string,
  secret: string,
  now: Date,
): Promise<SandboxLogin | null> {
  const [, ref = '', until = '', signature = ''] = /^(\w+)\.(\d{1,16})\.([0-9a-f]{64})$/.exec(token) ?? [];
  if (signature === '' || Number(until) <= now.getTime()) return null;
  if (!timingSafeEqual(Buffer.from(signature), Buffer.from(sign(ref, Number(until), secret)))) return null;
  const query = db.q().selectFrom('sandbox_accounts').selectAll().where('ref', '=', ref);
  const row = await query.executeTakeFirst();
  if (!row) return null;
  const { name, email, balance_cents: balanceCents } = row;
  return { ...sellerAccount(row), name, email, balanceCents };
}
