import { z } from 'zod';
import { PaymentError, type ProviderBalance } from '../port.ts';
import { wholeCents } from './amount.ts';
import type { CoinbaseClient } from './client.ts';
import { coinbaseTransactions } from './transactions.ts';

const UsdcAccount = z.object({
  data: z.object({
    id: z.string().min(1),
    balance: z.object({ amount: z.string(), currency: z.literal('USDC') }),
  }),
});

/** The USDC account that payments arrive in, and what is in it in cents, fractions of a cent left out. */
export async function usdcAccount(
  client: CoinbaseClient,
  base: string,
): Promise<{ id: string; balanceCents: number }> {
  const { data } = await client.send(UsdcAccount, { method: 'GET', path: '/USDC', base });
  const balanceCents = wholeCents(data.balance.amount);
  if (balanceCents === null)
    throw new PaymentError('unavailable', 'The balance that Coinbase reports is not an amount');
  return { id: data.id, balanceCents };
}

/** The balance of the sandbox, which has no accounts: what its checkouts brought in and gave back. */
export async function sandboxBalance(client: CoinbaseClient): Promise<ProviderBalance> {
  let availableCents = 0;
  let cursor: string | undefined;
  do {
    const page = await coinbaseTransactions(client, { since: new Date(0), ...(cursor ? { cursor } : {}) });
    for (const { amountCents, feeCents } of page.transactions) availableCents += amountCents - feeCents;
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
  return { availableCents, pendingCents: 0 };
}
