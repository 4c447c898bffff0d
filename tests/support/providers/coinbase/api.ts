import { z } from 'zod';
import { DAY } from '#platform/durations.ts';
import { amountOf, type CheckoutRecord, type CoinbaseAccount, centsOf } from './account.ts';
import { CoinbaseApiError } from './api-error.ts';

const MAX_CENTS = 10_000_000_000n;

const amount = z.string().regex(/^\d+(\.\d{1,2})?$/);
const httpsUrl = z.url({ protocol: /^https$/ });

const CheckoutParams = z.strictObject({
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

const RefundParams = z.strictObject({
  amount,
  currency: z.literal('USDC').optional(),
  reason: z.string().max(500).optional(),
});

const ListParams = z.strictObject({
  pageSize: z.coerce.number().int().min(1).max(100).default(20),
  pageToken: z.string().optional(),
  status: z.string().optional(),
});

/** One API request; `segments` are the path segments below `/api/v1`. */
export type CoinbaseRequest = { method: string; segments: string[]; query: URLSearchParams; body: string };

/** Handles one API request to an account. @throws CoinbaseRefusal */
export function handleCoinbaseRequest(
  account: CoinbaseAccount,
  { method, segments, query, body }: CoinbaseRequest,
): { status: number; body: object } {
  const [resource, id = '', action] = segments;
  if (id !== '' && !/^[0-9a-f]{24}$/.test(id)) throw CoinbaseApiError.invalid('The id is no checkout id');
  switch (`${method} ${resource}${id ? '/:id' : ''}${action ? `/${action}` : ''}`) {
    case 'POST checkouts':
      return { status: 201, body: create(account, parseBody(CheckoutParams, body)) };
    case 'GET checkouts':
      return { status: 200, body: listCheckouts(account, query) };
    case 'GET checkouts/:id':
      return { status: 200, body: account.checkout(id) };
    case 'POST checkouts/:id/deactivate':
      return { status: 200, body: deactivate(account, account.checkout(id)) };
    case 'POST checkouts/:id/refund':
      return { status: 200, body: refund(account, account.checkout(id), parseBody(RefundParams, body)) };
    default:
      throw new CoinbaseApiError(404, 'not_found', 'No such place');
  }
}

/** Opens a checkout of $1.00 without a request, and returns its id. */
export const openCheckout = (account: CoinbaseAccount): string =>
  create(account, { amount: '1.00', currency: 'USDC' }).id;

function create(account: CoinbaseAccount, params: z.infer<typeof CheckoutParams>): CheckoutRecord {
  const cents = centsOf(params.amount);
  if (cents < 1n || cents > MAX_CENTS)
    throw CoinbaseApiError.invalid('The amount must lie between 0.01 and 100000000');
  const created = account.time;
  const expiresAt = new Date(params.expiresAt ?? Date.parse(created) + DAY).toISOString();
  if (expiresAt <= created) throw CoinbaseApiError.invalid('expiresAt must lie in the future');
  const id = account.uniqueHex(24);
  const checkout: CheckoutRecord = {
    ...params,
    id,
    url: `https://payments.coinbase.com/payment-links/pl_${id}`,
    amount: amountOf(cents),
    network: 'base',
    address: `0x${account.uniqueHex(40)}`,
    tokenAddress: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    status: 'ACTIVE',
    expiresAt,
    createdAt: created,
    updatedAt: created,
  };
  account.checkouts.set(id, checkout);
  return checkout;
}

/** Newest first; the token of the next page is the id of the last checkout of this one. */
function listCheckouts(account: CoinbaseAccount, query: URLSearchParams): object {
  const params = ListParams.safeParse(Object.fromEntries(query));
  if (!params.success) throw CoinbaseApiError.invalid('The query is not valid');
  const { pageSize, pageToken, status } = params.data;
  const all = [...account.checkouts.values()].filter((one) => status === undefined || one.status === status);
  const newest = all.reverse();
  const from = pageToken === undefined ? 0 : newest.findIndex(({ id }) => tokenOf(id) === pageToken) + 1;
  const checkouts = newest.slice(from, from + pageSize);
  const last = checkouts.at(-1);
  const isMore = newest.length > from + checkouts.length;
  return { checkouts, ...(last && isMore ? { nextPageToken: tokenOf(last.id) } : {}) };
}

const tokenOf = (id: string): string => Buffer.from(JSON.stringify({ last_id: id })).toString('base64');

function deactivate(account: CoinbaseAccount, checkout: CheckoutRecord): CheckoutRecord {
  if (checkout.status !== 'ACTIVE')
    throw CoinbaseApiError.invalid('Only an active checkout can be deactivated');
  account.deactivate(checkout);
  return checkout;
}

/** The amount of a failed refund can be refunded again. */
function refund(
  account: CoinbaseAccount,
  checkout: CheckoutRecord,
  params: z.infer<typeof RefundParams>,
): object {
  const made = account.refund(checkout, params);
  return { checkout, refund: made };
}

function parseBody<T>(shape: z.ZodType<T>, body: string): T {
  let given: unknown;
  try {
    given = JSON.parse(body);
  } catch {
    throw CoinbaseApiError.invalid('The body is no JSON');
  }
  const found = shape.safeParse(given);
  if (!found.success) throw CoinbaseApiError.invalid(`Invalid: ${found.error.issues[0]?.path.join('.')}`);
  return found.data;
}
