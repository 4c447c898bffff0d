import { randomBytes } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { Database } from '#platform/db/database.ts';
import type { SandboxAccountsTable } from '#platform/db/schema.gen.ts';
import { MINUTE } from '#platform/durations.ts';
import { PaymentError } from '../../payments/port.ts';
import { runOncePerKey } from '../../payments/sandbox/idempotency.ts';
import { lockAvailableCents, recordMovement } from '../../payments/sandbox/ledger.ts';
import type { SandboxAccount } from '../../payments/sandbox/rules.ts';
import { requireNoTransaction } from '../../payments/sandbox/transitions.ts';
import type { SellerAccount } from '../port.ts';
import { LINK_MINUTES, onboardingPath } from './rules.ts';
import { announceAccount, type MessageMode } from './webhook.ts';

type AccountRow = Selectable<SandboxAccountsTable>;

/** What the provider asks for until the seller has been through its page. */
const NOT_SUBMITTED = 'Complete the setup of the payout account.';

/** Opens a seller's account, in the running transaction; idempotent by key for a day. */
export async function createAccount(
  db: Database,
  who: SandboxAccount,
  seller: { agentId: string; email: string; name: string },
  key: string,
  now: Date,
): Promise<SellerAccount> {
  if (!/^\S+@\S+$/.test(seller.email)) throw new PaymentError('invalid', 'A seller needs an e-mail address');
  const content = { operation: 'account', ...seller };
  const { ref } = await runOncePerKey(db, { who, key, content, now }, async () => {
    const ref = `acct_sandbox${randomBytes(12).toString('hex')}`;
    const { account, livemode } = who;
    const { agentId: agent_id, email, name } = seller;
    const row = { ref, account, livemode, agent_id, email, name, created_at: now };
    await db.q().insertInto('sandbox_accounts').values(row).execute();
    return { ref };
  });
  return sellerAccount(await readAccount(db, who, ref));
}

/** @throws PaymentError `not_found` */
export async function readAccount(db: Database, who: SandboxAccount, ref: string): Promise<AccountRow> {
  const row = await db
    .q()
    .selectFrom('sandbox_accounts')
    .selectAll()
    .where('ref', '=', ref)
    .where('account', '=', who.account)
    .where('livemode', '=', who.livemode)
    .executeTakeFirst();
  if (!row) throw new PaymentError('not_found', 'There is no such account');
  return row;
}

export const sellerAccount = ({
  ref,
  submitted_at,
  transfers_active,
  requirement,
}: AccountRow): SellerAccount => ({
  ref,
  transfersActive: transfers_active,
  requirement: submitted_at === null ? NOT_SUBMITTED : requirement,
});

/** A link to the onboarding page, in the running transaction. Making one ends the earlier ones of the account. */
export async function createLink(
  db: Database,
  who: SandboxAccount,
  ref: string,
  { returnUrl, refreshUrl }: { returnUrl: string; refreshUrl: string },
  now: Date,
): Promise<string> {
  await readAccount(db, who, ref);
  for (const address of [returnUrl, refreshUrl])
    if (!/^https?:\/\//.test(address) || !URL.canParse(address))
      throw new PaymentError('invalid', 'The addresses to return to must be whole');
  const token = randomBytes(24).toString('hex');
  await db
    .q()
    .updateTable('sandbox_onboarding_links')
    .set({ used_at: now })
    .where('account_ref', '=', ref)
    .where('used_at', 'is', null)
    .execute();
  await db
    .q()
    .insertInto('sandbox_onboarding_links')
    .values({
      token,
      account_ref: ref,
      return_url: returnUrl,
      refresh_url: refreshUrl,
      expires_at: new Date(now.getTime() + LINK_MINUTES * MINUTE),
    })
    .execute();
  return onboardingPath(token);
}

/** What the provider decides about a seller's account: it is active, or something is missing, in words. */
export type AccountDecision = { active: true } | { active: false; requirement: string };

/**
 * Changes the state of a seller's account, and tells us.
 * @throws PaymentError `not_found`
 */
export function decideAccount(
  db: Database,
  ref: string,
  decision: AccountDecision,
  now: Date,
  { messages = 'once' }: { messages?: MessageMode } = {},
): Promise<void> {
  requireNoTransaction(db);
  return db.tx(async () => {
    const changed = await db
      .q()
      .updateTable('sandbox_accounts')
      .set((each) => ({
        transfers_active: decision.active,
        requirement: decision.active ? null : decision.requirement,
        submitted_at: each.fn.coalesce('submitted_at', each.val(now)),
      }))
      .where('ref', '=', ref)
      .returningAll()
      .executeTakeFirst();
    if (!changed) throw new PaymentError('not_found', 'There is no such account.');
    await announceAccount(db, changed, now, messages);
  });
}

/** Stripe pays a seller's balance out to the seller's bank; from then on transfers cannot be taken back from it. */
export async function payOutSeller(db: Database, ref: string): Promise<void> {
  requireNoTransaction(db);
  await db.tx(async () => {
    await db.q().updateTable('sandbox_accounts').set({ balance_cents: 0 }).where('ref', '=', ref).execute();
  });
}

/** Money from our bank arrives in the balance. Cents, positive. */
export function addFunds(db: Database, who: SandboxAccount, amountCents: number, now: Date): Promise<void> {
  requireNoTransaction(db);
  return db.tx(async () => {
    await lockAvailableCents(db, who, now);
    const objectRef = `tu_sandbox_${randomBytes(16).toString('hex')}`;
    await recordMovement(db, who, { kind: 'bank_payout_return', amountCents, objectRef }, now);
  });
}
