import { z } from 'zod';
import { oneLine, visibleText } from '#platform/typed-text.ts';
import { DEFAULT_BRAND } from './brand.ts';
import { LARGEST_PAYOUT_APPROVAL_CENTS, payoutFrequencies, payoutMinimums } from './rules.ts';

const days = z.int().min(0).max(365);

/** The settings that administrators change by name: what each accepts. */
export const settingSchemas = {
  /** the marketplace's name, in pages, mails and receipts */
  brand: z
    .string()
    .transform((name) => oneLine(visibleText(name)))
    .pipe(z.string().min(1, 'Name is required').max(60, 'The name can have at most 60 characters')),
  /** where people write to with questions; null: `support@` at the domain that mails are sent from */
  support_address: z.string().trim().max(254).pipe(z.email('Please enter a valid email address')).nullable(),
  /** days from the payment until the seller has to have delivered the closing documents */
  documents_due_days: z.int().min(1).max(90),
  /** days from the release until the seller is paid, by what the buyer paid with */
  payout_hold_days: z.strictObject({ card: days, bank: days, chain: days }),
  /** e-mail addresses of the only buyers who can purchase while a production server is in test mode */
  test_buyers: z
    .array(z.string().trim().toLowerCase().pipe(z.email()))
    .max(100)
    .transform((addresses) => [...new Set(addresses)]),
  /** cents above which writing off a difference needs a second administrator */
  write_off_approval_cents: z.int().min(0).max(10_000_000),
  /** a listing goes live only once its ownership was verified */
  ownership_proof_required: z.boolean(),
  /** when sellers are paid without an administrator, and the cents that a seller has to be owed for that */
  payout_schedule: z.strictObject({
    frequency: z.enum(payoutFrequencies),
    minimumCents: z.literal(payoutMinimums),
  }),
  /** where links to public documents lead, with {cid}; null: our own server while the store is local, else a public gateway */
  content_gateway: z.string().trim().max(300).nullable(),
  /** cents above which a payout run needs a second administrator; null: never */
  payout_approval_cents: z.int().min(0).max(LARGEST_PAYOUT_APPROVAL_CENTS).nullable(),
};

export type SettingName = keyof typeof settingSchemas;
export type SettingValue<Name extends SettingName> = z.output<(typeof settingSchemas)[Name]>;

/** What holds until an administrator changes it. */
export const settingDefaults: { [Name in SettingName]: SettingValue<Name> } = {
  brand: DEFAULT_BRAND,
  support_address: null,
  documents_due_days: 14,
  // A card payment is seldom disputed after a week; a bank debit can be returned for 60 days; a transaction is final.
  payout_hold_days: { card: 7, bank: 60, chain: 1 },
  test_buyers: [],
  write_off_approval_cents: 10_000,
  ownership_proof_required: false,
  payout_schedule: { frequency: 'manual', minimumCents: 0 },
  content_gateway: null,
  payout_approval_cents: 5_000_000_00,
};

export type ChangeSettingResult =
  | { ok: true }
  | { ok: false; reason: 'unknown_setting' }
  | { ok: false; reason: 'invalid'; errors: string[] };

/** The name and the support address of the marketplace, as an administrator edits them. */
export interface Operator {
  brand: string;
  /** null: the one that is derived from where mails are sent from */
  supportAddress: string | null;
}

/** What is stored of it, and who has changed it last. */
export interface SavedOperator extends Operator {
  /** the address that holds while none is set */
  derivedAddress: string;
  changedBy: string | null;
  /** ISO, UTC; null while nothing was changed */
  changedAt: string | null;
}

export type SaveOperatorResult =
  | { ok: true }
  | { ok: false; reason: 'invalid'; errors: Partial<Record<keyof Operator, string>> }
  /** somebody else has changed it since; nothing was changed */
  | { ok: false; reason: 'newer'; current: SavedOperator };
