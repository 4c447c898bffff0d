import { parseDollars } from '#platform/money.ts';
import { type Cell, parseDecimal, parseWholeNumber } from '#platform/typed-text.ts';
import {
  type AssumptionName,
  type Assumptions,
  assumptionNames,
  type PaymentEstimate,
  type TypedAssumptions,
} from './model.ts';

/** What is assumed until someone says otherwise: an example, not an offer of anyone's. */
export const DEFAULT_ASSUMPTIONS: TypedAssumptions = {
  down: '20',
  rate: '6.75',
  years: '30',
  tax: '1.1',
  insurance: '0.35',
  dues: '0',
};

/** One percent, in thousandths. */
const PERCENT = 1000n;
const MONTHS = 12n;
/** The fractions that interest compounds are kept with thirty decimals. */
const SCALE = 10n ** 30n;

/** a / b, rounded half up; both positive */
const divide = (a: bigint, b: bigint): bigint => (2n * a + b) / (2n * b);

/**
 * The monthly payment for a price, exact to the cent: the loan's payment is the constant one that repays it, rounded half up;
 * taxes and insurance are a twelfth of the yearly share of the price.
 * @param priceCents what the buyer pays for the property, integer cents
 */
export function estimatePayment(priceCents: number, assumptions: Assumptions): PaymentEstimate {
  const price = BigInt(priceCents);
  const share = (thousandths: number) => divide(price * BigInt(thousandths), 100n * PERCENT);
  const monthlyShare = (thousandths: number) =>
    Number(divide(price * BigInt(thousandths), 100n * PERCENT * MONTHS));
  const down = share(assumptions.down);
  const loan = price - down;
  const estimate = {
    downCents: Number(down),
    loanCents: Number(loan),
    loanPaymentCents: Number(loanPayment(loan, assumptions)),
    taxCents: monthlyShare(assumptions.tax),
    insuranceCents: monthlyShare(assumptions.insurance),
    duesCents: assumptions.dues,
  };
  const { loanPaymentCents, taxCents, insuranceCents, duesCents } = estimate;
  return { ...estimate, monthlyCents: loanPaymentCents + taxCents + insuranceCents + duesCents };
}

function loanPayment(loan: bigint, { rate, years }: Assumptions): bigint {
  const months = years * 12;
  if (rate === 0) return divide(loan, BigInt(months));
  const perMonth = 100n * PERCENT * MONTHS;
  const growth = SCALE + divide(SCALE * BigInt(rate), perMonth);
  let grown = SCALE;
  for (let month = 0; month < months; month += 1) grown = divide(grown * growth, SCALE);
  return divide(loan * BigInt(rate) * grown, perMonth * (grown - SCALE));
}

const percent = (text: string, max: number): Cell<number> => {
  const cell = parseDecimal(text.replace(/\s*%$/, ''), 0, max, 3);
  return 'value' in cell ? { value: Math.round(cell.value * 1000) } : cell;
};

const readers: Record<AssumptionName, { read: (text: string) => Cell<number>; expected: string }> = {
  down: { read: (text) => percent(text, 100), expected: 'Please enter a percentage from 0 to 100.' },
  rate: { read: (text) => percent(text, 30), expected: 'Please enter a percentage from 0 to 30.' },
  years: {
    read: (text) => parseWholeNumber(text, 1, 50),
    expected: 'Please enter a number of years from 1 to 50.',
  },
  tax: { read: (text) => percent(text, 10), expected: 'Please enter a percentage from 0 to 10.' },
  insurance: { read: (text) => percent(text, 10), expected: 'Please enter a percentage from 0 to 10.' },
  dues: {
    read: (text) => parseDollars(text, 100_000_00),
    expected: 'Please enter an amount from $0 to $100,000.',
  },
};

/**
 * Reads typed assumptions; a blank one is the default.
 * @returns an error for each that cannot be read, for which the default counts
 */
export function readAssumptions(typed: TypedAssumptions): {
  assumptions: Assumptions;
  errors: Partial<Record<AssumptionName, string>>;
} {
  const errors: Partial<Record<AssumptionName, string>> = {};
  const amountOf = (name: AssumptionName): number => {
    const { read, expected } = readers[name];
    const cell = read(typed[name]);
    if ('value' in cell) return cell.value;
    if ('wrong' in cell) errors[name] = expected;
    const standard = read(DEFAULT_ASSUMPTIONS[name]);
    if (!('value' in standard)) throw new Error(`The default of ${name} cannot be read`);
    return standard.value;
  };
  const assumptions = {
    down: amountOf('down'),
    rate: amountOf('rate'),
    years: amountOf('years'),
    tax: amountOf('tax'),
    insurance: amountOf('insurance'),
    dues: amountOf('dues'),
  };
  return { assumptions, errors };
}

/** The assumptions in a URL, the defaults for those that it does not have. */
export function typedAssumptions(query: URLSearchParams): TypedAssumptions {
  const typed = { ...DEFAULT_ASSUMPTIONS };
  for (const name of assumptionNames) typed[name] = query.get(name)?.slice(0, 20) ?? typed[name];
  return typed;
}
