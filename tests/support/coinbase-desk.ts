import { z } from 'zod';
import {
  amountOf,
  type CheckoutRecord,
  type CoinbaseAccount,
  centsOf,
  type RefundRecord,
  sumOf,
} from './coinbase-account.ts';
import { CoinbaseRefusal } from './coinbase-refusal.ts';

const DAY_MS = 24 * 3_600_000;
const MOST_CENTS = 10_000_000_000n;

const amount = z.string().regex(/^\d+(\.\d{1,2})?$/);
const httpsUrl = z.url({ protocol: /^https$/ });

const Creation = z.strictObject({
  amount,
  currency: z.literal('USDC'),
  network: z.literal('base').optional(),
  description: z.string().max(500).optional(),
  metadata: z
    .record(z.string(), z.string())
    .refine((entries) => Object.keys(entries).length <= 20)
    .optional(),
  successRedirectUrl: httpsUrl.optional(),
  failRedirectUrl: httpsUrl.optional(),
  expiresAt: z.iso.datetime({ offset: true }).optional(),
});

const Refunding = z.strictObject({
  amount,
  currency: z.literal('USDC').optional(),
  reason: z.string().max(500).optional(),
});

/** One request to the API: its path below `/api/v1` in pieces. */
export type CoinbaseAsk = { method: string; steps: string[]; query: URLSearchParams; body: string };

/** Answers one request to one account. @throws CoinbaseRefusal */
export function answerCoinbase(
  account: CoinbaseAccount,
  { method, steps, query, body }: CoinbaseAsk,
): { status: number; body: object } {
  const [place, id = '', verb] = steps;
  if (id !== '' && !/^[0-9a-f]{24}$/.test(id)) throw CoinbaseRefusal.invalid('The id is no checkout id');
  switch (`${method} ${place}${id ? '/:id' : ''}${verb ? `/${verb}` : ''}`) {
    case 'POST checkouts':
      return { status: 201, body: create(account, checked(Creation, body)) };
    case 'GET checkouts':
      return { status: 200, body: page(account, Number(query.get('pageSize') ?? 20)) };
    case 'GET checkouts/:id':
      return { status: 200, body: account.checkout(id) };
    case 'POST checkouts/:id/deactivate':
      return { status: 200, body: deactivate(account, account.checkout(id)) };
    case 'POST checkouts/:id/refund':
      return { status: 200, body: refund(account, account.checkout(id), checked(Refunding, body)) };
    default:
      throw new CoinbaseRefusal(404, 'not_found', 'No such place');
  }
}

function create(account: CoinbaseAccount, asked: z.infer<typeof Creation>): CheckoutRecord {
  const cents = centsOf(asked.amount);
  if (cents < 1n || cents > MOST_CENTS)
    throw CoinbaseRefusal.invalid('The amount must lie between 0.01 and 100000000');
  const created = account.time;
  const expiresAt = new Date(asked.expiresAt ?? Date.parse(created) + DAY_MS).toISOString();
  if (expiresAt <= created) throw CoinbaseRefusal.invalid('expiresAt must lie in the future');
  const id = account.hex(24);
  const checkout: CheckoutRecord = {
    ...asked,
    id,
    url: `https://payments.coinbase.com/payment-links/pl_${id}`,
    amount: amountOf(cents),
    network: 'base',
    address: `0x${account.hex(40)}`,
    tokenAddress: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    status: 'ACTIVE',
    expiresAt,
    createdAt: created,
    updatedAt: created,
  };
  account.checkouts.set(id, checkout);
  return checkout;
}

function page(account: CoinbaseAccount, size: number): object {
  const all = [...account.checkouts.values()].reverse();
  return { checkouts: all.slice(0, size), ...(all.length > size ? { nextPageToken: 'next' } : {}) };
}

function deactivate(account: CoinbaseAccount, checkout: CheckoutRecord): CheckoutRecord {
  if (checkout.status !== 'ACTIVE')
    throw CoinbaseRefusal.invalid('Only an active checkout can be deactivated');
  account.deactivate(checkout);
  return checkout;
}

/** Money in refunds that failed can be given back again. */
function refund(
  account: CoinbaseAccount,
  checkout: CheckoutRecord,
  asked: z.infer<typeof Refunding>,
): object {
  if (checkout.status !== 'COMPLETED' && checkout.status !== 'PARTIALLY_REFUNDED')
    throw CoinbaseRefusal.invalid('Only a completed checkout can be refunded');
  const left = centsOf(checkout.amount) - sumOf(checkout, ['PENDING', 'COMPLETED']);
  const cents = centsOf(asked.amount);
  if (cents < 1n || cents > left)
    throw CoinbaseRefusal.invalid('The amount must not exceed the remaining refundable amount');
  const made: RefundRecord = {
    id: account.hex(24),
    checkoutId: checkout.id,
    amount: amountOf(cents),
    currency: checkout.currency,
    status: 'PENDING',
    createdAt: account.time,
    ...(asked.reason === undefined ? {} : { reason: asked.reason }),
  };
  checkout.refunds = [...(checkout.refunds ?? []), made];
  return { checkout, refund: made };
}

function checked<T>(shape: z.ZodType<T>, body: string): T {
  let given: unknown;
  try {
    given = JSON.parse(body);
  } catch {
    throw CoinbaseRefusal.invalid('The body is no JSON');
  }
  const found = shape.safeParse(given);
  if (!found.success) throw CoinbaseRefusal.invalid(`Invalid: ${found.error.issues[0]?.path.join('.')}`);
  return found.data;
}
