import { z } from 'zod';
import { ITEM_FEE_CENTS, type PayPalAccount } from './account.ts';

interface Detail {
  field: string;
  issue: string;
  link?: object[];
}

/** An error response of PayPal. */
export class PayPalApiError extends Error {
  readonly status: number;
  readonly body: object;

  constructor(status: number, name: string, details: Detail[] = []) {
    super(name);
    this.status = status;
    this.body = { name, message: name, debug_id: 'f7796227d93d5', details, links: [] };
  }
}

/** What PayPal accepts of a batch; everything else is refused. */
const Body = z.strictObject({
  sender_batch_header: z.strictObject({
    sender_batch_id: z.string().min(1).max(256),
    recipient_type: z.literal('EMAIL'),
    email_subject: z.string().max(255),
    note: z.string().max(1_000).optional(),
  }),
  items: z
    .array(
      z.strictObject({
        recipient_type: z.literal('EMAIL'),
        receiver: z.email(),
        amount: z.strictObject({ currency: z.literal('USD'), value: z.string().regex(/^\d{1,5}\.\d\d$/) }),
        sender_item_id: z.string().max(63),
      }),
    )
    .min(1)
    .max(15_000),
});

const MAX_CENTS = 2_000_000;

/** @throws PayPalApiError for what PayPal refuses */
export function createBatch(account: PayPalAccount, text: string): { status: number; body: object } {
  const body = Body.safeParse(JSON.parse(text));
  if (!body.success)
    throw new PayPalApiError(
      400,
      'VALIDATION_ERROR',
      body.error.issues.map(({ path, message }) => ({ field: path.join('.'), issue: message })),
    );
  const { sender_batch_header: header, items } = body.data;
  const known = account.batchWith(header.sender_batch_id);
  if (known)
    throw new PayPalApiError(400, 'USER_BUSINESS_ERROR', [
      {
        field: 'SENDER_BATCH_ID',
        issue: 'Batch with given sender_batch_id already exists',
        link: [
          {
            href: `https://api.sandbox.paypal.com/v1/payments/payouts/${known.id}`,
            rel: 'self',
            method: 'GET',
          },
        ],
      },
    ]);
  const parts = items.map(({ receiver, amount, sender_item_id: senderItemId }) => ({
    receiver,
    senderItemId,
    cents: Math.round(Number(amount.value) * 100),
  }));
  if (parts.some(({ cents }) => cents < 1 || cents > MAX_CENTS))
    throw new PayPalApiError(400, 'VALIDATION_ERROR', [{ field: 'items.amount', issue: 'Out of range' }]);
  const needed = parts.reduce((sum, { cents }) => sum + cents + ITEM_FEE_CENTS, 0);
  if (needed > account.availableCents) throw new PayPalApiError(422, 'INSUFFICIENT_FUNDS');
  const { id } = account.create(header.sender_batch_id, parts);
  return {
    status: 201,
    body: {
      batch_header: {
        payout_batch_id: id,
        batch_status: 'PENDING',
        sender_batch_header: { sender_batch_id: header.sender_batch_id },
      },
    },
  };
}

/** @throws PayPalApiError for a batch that is not of this account */
export function readBatch(account: PayPalAccount, url: URL): { status: number; body: object } {
  const batch = account.batches.find(({ id }) => id === url.pathname.split('/').at(-1));
  if (!batch) throw new PayPalApiError(404, 'RESOURCE_NOT_FOUND');
  const [page, size] = ['page', 'page_size'].map((name) => Number(url.searchParams.get(name) ?? 1));
  return { status: 200, body: account.batchJson(batch, { page: page ?? 1, size: size ?? 1 }) };
}
