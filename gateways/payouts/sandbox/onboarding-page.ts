import type { Database } from '#platform/db/database.ts';
import { PaymentError } from '../../payments/port.ts';
import { requireNoTransaction } from '../../payments/sandbox/transitions.ts';
import { type AccountDecision, decideAccount, sellerAccount } from './accounts.ts';

/** What can be done on the sandbox's onboarding page. */
export const ONBOARDING_ACTIONS = ['complete', 'incomplete', 'leave'] as const;
export type OnboardingAction = (typeof ONBOARDING_ACTIONS)[number];

/** What the provider asks for after an incomplete setup. */
const MISSING = 'Upload a photo of an identity document.';

/** What the onboarding page shows. */
export interface SandboxOnboarding {
  /** false when the link has been used or has expired: the visitor belongs on the refresh page, which makes a new one */
  valid: boolean;
  refreshUrl: string;
  name: string;
  email: string;
  transfersActive: boolean;
  requirement: string | null;
}

/** The onboarding page of a link, or null when there is no such link. */
export async function readOnboarding(
  db: Database,
  token: string,
  now: Date,
): Promise<SandboxOnboarding | null> {
  const found = await findLink(db, token);
  if (!found) return null;
  const { used_at, expires_at, refresh_url: refreshUrl, ...account } = found;
  const { transfersActive, requirement } = sellerAccount(account);
  const valid = used_at === null && expires_at > now;
  return { valid, refreshUrl, name: account.name, email: account.email, transfersActive, requirement };
}

async function findLink(db: Database, token: string) {
  if (!/^[0-9a-f]{48}$/.test(token)) return null;
  const found = await db
    .q()
    .selectFrom('sandbox_onboarding_links as l')
    .innerJoin('sandbox_accounts as a', 'a.ref', 'l.account_ref')
    .selectAll('a')
    .select(['l.used_at', 'l.expires_at', 'l.return_url', 'l.refresh_url'])
    .where('l.token', '=', token)
    .executeTakeFirst();
  return found ?? null;
}

/**
 * Does what the seller does on the page, and ends the link.
 * @returns where the browser goes next
 * @throws PaymentError `not_found`
 */
export async function performOnboarding(
  db: Database,
  token: string,
  action: OnboardingAction,
  now: Date,
): Promise<string> {
  requireNoTransaction(db);
  const link = await findLink(db, token);
  if (!link) throw new PaymentError('not_found', 'There is no such link.');
  const taken = await db
    .q()
    .updateTable('sandbox_onboarding_links')
    .set({ used_at: now })
    .where('token', '=', token)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  if (taken.numUpdatedRows === 0n) return link.refresh_url;
  const decision = DECISIONS[action];
  if (decision) await decideAccount(db, link.ref, decision, now);
  return link.return_url;
}

const DECISIONS: Readonly<Record<OnboardingAction, AccountDecision | null>> = {
  complete: { active: true },
  incomplete: { active: false, requirement: MISSING },
  leave: null,
};
