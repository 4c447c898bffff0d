import { hasRole } from '#platform/access.ts';
import { formatCount } from '#platform/format-count.ts';
import { decimalAmount, dollarsAndCents, parseDollars } from '#platform/money.ts';
import { oneLine, parseDecimal, visibleText } from '#platform/typed-text.ts';
import type { Fee } from './model.ts';

/** Only administrators see and change what is charged, apart from the rules that public pages load. */
export const mayManageFees = hasRole('admin');

export const feeTypes = ['fixed', 'percentage'] as const;
export type FeeType = (typeof feeTypes)[number];
/** Who pays a fee: it is added to a buyer's price, or deducted from a seller's payout. */
export const feeSides = ['buyer', 'seller'] as const;
export type FeeSide = (typeof feeSides)[number];

/** What administrators decide about a fee. Fixed amounts are integer cents, percentages 0–100 with up to three decimals. */
export interface FeeValues {
  name: string;
  type: FeeType;
  fixedCents: number | null;
  percent: number | null;
  appliesTo: readonly FeeSide[];
  active: boolean;
}

/** A fee as administrators see it. */
export interface ManagedFee extends FeeValues {
  id: string;
  /** its place in a price */
  position: number;
  /** ISO, UTC */
  createdAt: string;
  /** ISO, UTC; null while it can be used */
  archivedAt: string | null;
}

/** A fee as it is typed. */
export interface TypedFee {
  name: string;
  type: string;
  amount: string;
  appliesTo: readonly FeeSide[];
  active: boolean;
}

export type FeeErrors = Partial<Record<'name' | 'type' | 'amount' | 'appliesTo', string>>;

const NAME_LIMIT = 80;
const LARGEST_FIXED_DOLLARS = 1_000_000;

export const feeMessages = {
  saved: 'Fee saved',
  statusFailed: 'Failed to update fee status.',
  saveFailed: 'Failed to save fee.',
  removeFailed: 'Failed to delete fee.',
  loadFailed: 'The service fees could not be loaded.',
  newer: 'This record was changed by someone else',
  gone: 'Another administrator has deleted this fee.',
  deleted: 'Fee deleted',
  archived: 'Fee archived',
  nameMissing: 'Name is required',
  nameTooLong: `The name can have at most ${NAME_LIMIT} characters`,
  nameTaken: 'A fee with this name already exists',
  typeMissing: 'Choose fixed or percentage',
  sideMissing: 'Choose who pays the fee',
  amountMissing: 'Amount is required',
  percentWrong: 'Enter a percentage from 0 to 100 with at most three decimals',
  fixedWrong: `Enter an amount from $0 to $${formatCount(LARGEST_FIXED_DOLLARS)}`,
} as const;

/** 'Fee has been activated.' */
export const feeStatusText = (active: boolean): string =>
  `Fee has been ${active ? 'activated' : 'deactivated'}.`;

/** Another administrator was faster with the switch. */
export const feeAlreadyText = (active: boolean): string =>
  `${feeMessages.statusFailed} Another administrator has already ${active ? 'activated' : 'deactivated'} it.`;

export const feeTypeNames: Readonly<Record<FeeType, string>> = { fixed: 'Fixed', percentage: 'Percentage' };
export const feeSideNames: Readonly<Record<FeeSide, string>> = { buyer: 'Buyer', seller: 'Seller' };

/** 'Buyer', 'Seller' or 'Buyer, Seller'. */
export const appliesToText = (sides: readonly FeeSide[]): string =>
  feeSides
    .filter((side) => sides.includes(side))
    .map((side) => feeSideNames[side])
    .join(', ');

/** '$495.00' or '1.500%'. */
export const feeAmountText = ({ fixedCents, percent }: Pick<FeeValues, 'fixedCents' | 'percent'>): string =>
  percent === null ? dollarsAndCents(fixedCents ?? 0) : `${percent.toFixed(3)}%`;

/** The amount as it is typed: '495.00' or '1.5'. */
export const feeAmountInput = ({ fixedCents, percent }: Pick<FeeValues, 'fixedCents' | 'percent'>): string =>
  percent === null ? decimalAmount(fixedCents ?? 0) : String(percent);

type ParsedAmount =
  | { ok: true; fixedCents: number | null; percent: number | null }
  | { ok: false; error: string };

/** A typed amount: dollars and cents, or a percentage. */
export function parseFeeAmount(type: FeeType, typed: string): ParsedAmount {
  const isPercent = type === 'percentage';
  const cell = isPercent
    ? parseDecimal(typed.trim().replace(/\s*%$/, ''), 0, 100, 3)
    : parseDollars(typed, LARGEST_FIXED_DOLLARS * 100);
  if ('blank' in cell) return { ok: false, error: feeMessages.amountMissing };
  if ('wrong' in cell)
    return { ok: false, error: isPercent ? feeMessages.percentWrong : feeMessages.fixedWrong };
  return isPercent
    ? { ok: true, fixedCents: null, percent: cell.value }
    : { ok: true, fixedCents: cell.value, percent: null };
}

const isFeeType = (type: string): type is FeeType => feeTypes.some((known) => known === type);

/** A fee from what was typed, or what is wrong with it. */
export function parseFee(
  typed: TypedFee,
): { ok: true; values: FeeValues } | { ok: false; errors: FeeErrors } {
  const name = oneLine(visibleText(typed.name));
  const inName: FeeErrors = {
    ...(name === '' && { name: feeMessages.nameMissing }),
    ...(name.length > NAME_LIMIT && { name: feeMessages.nameTooLong }),
  };
  const inSides: FeeErrors = typed.appliesTo.length === 0 ? { appliesTo: feeMessages.sideMissing } : {};
  // In the order of the form, which says the first of them.
  const refused = (inAmount: FeeErrors) => ({
    ok: false as const,
    errors: { ...inName, ...inAmount, ...inSides },
  });
  if (!isFeeType(typed.type)) return refused({ type: feeMessages.typeMissing });
  const amount = parseFeeAmount(typed.type, typed.amount);
  if (!amount.ok) return refused({ amount: amount.error });
  if (Object.keys({ ...inName, ...inSides }).length > 0) return refused({});
  const { fixedCents, percent } = amount;
  return {
    ok: true,
    values: {
      name,
      type: typed.type,
      fixedCents,
      percent,
      appliesTo: feeSides.filter((side) => typed.appliesTo.includes(side)),
      active: typed.active,
    },
  };
}

/** What an administrator has seen of a fee, for comparison with what is stored when it is saved. */
export const feeVersion = ({ name, fixedCents, percent, appliesTo, active }: FeeValues): string =>
  JSON.stringify([name, fixedCents, percent, feeSides.filter((side) => appliesTo.includes(side)), active]);

export const asFee = ({ id, name, fixedCents, percent }: ManagedFee): Fee => ({
  id,
  name,
  fixedCents,
  percent,
});
