import { z } from 'zod';
import { Identifier } from '../../payments/webhook-body.ts';

/** An amount in dollars with cents, as PayPal writes it; converted to integer cents. */
const Dollars = z
  .object({
    currency: z.string().optional(),
    currency_code: z.string().optional(),
    value: z.string().regex(/^-?\d{1,12}(?:\.\d{1,2})?$/),
  })
  .refine(({ currency, currency_code: code }) => (currency ?? code) === 'USD')
  .transform(({ value }) => Math.round(Number(value) * 100));

const ErrorName = z.string().regex(/^[A-Z0-9_]{1,80}$/);

/** Why a part of a payout, or all of it, was not carried out. */
const Failure = z.object({ name: ErrorName.catch('UNKNOWN') }).nullish();

export const Token = z.object({
  access_token: z.string().min(1),
  expires_in: z.number().positive(),
});

export const BatchCreated = z.object({
  batch_header: z.object({ payout_batch_id: Identifier }),
});

const BatchItem = z.object({
  payout_item_id: Identifier,
  transaction_status: z.string().optional(),
  payout_item_fee: Dollars.optional(),
  payout_item: z.object({
    amount: Dollars,
    receiver: z.string(),
    sender_item_id: z.string(),
  }),
  errors: Failure,
});
export type BatchItem = z.infer<typeof BatchItem>;

/** A page of a batch. The items may come later than the batch. */
export const Batch = z.object({
  batch_header: z.object({
    payout_batch_id: Identifier,
    batch_status: z.string(),
    sender_batch_header: z.object({ sender_batch_id: z.string() }),
    amount: Dollars.optional(),
    errors: Failure,
  }),
  items: z.array(BatchItem).default([]),
  total_pages: z.number().int().positive().optional(),
});
export type BatchHeader = z.infer<typeof Batch>['batch_header'];

/** Our balances; the account is ours. */
export const Balances = z.object({
  account_id: Identifier,
  balances: z.array(z.object({ currency: z.string() }).passthrough()),
});

export const DollarBalance = z.object({
  total_balance: Dollars,
  available_balance: Dollars.optional(),
});

export const Verification = z.object({ verification_status: z.string() });

/** An error of PayPal; details may name what exists already. */
export const Refusal = z.object({
  name: ErrorName.catch('UNKNOWN'),
  debug_id: z
    .string()
    .regex(/^\w{1,60}$/)
    .optional()
    .catch(undefined),
  details: z
    .array(
      z.object({
        field: z.string().optional().catch(undefined),
        link: z
          .array(z.object({ href: z.string() }))
          .optional()
          .catch(undefined),
      }),
    )
    .catch([]),
});
export type Refusal = z.infer<typeof Refusal>;
