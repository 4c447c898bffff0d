import { describe, expect, it } from 'vitest';
import { feeExample } from './example.ts';
import {
  appliesToText,
  feeAmountText,
  feeMessages,
  type ManagedFee,
  parseFee,
  parseFeeAmount,
} from './managed.ts';

const typed = {
  name: 'Title Search',
  type: 'percentage',
  amount: '0.350',
  appliesTo: ['buyer'],
  active: true,
} as const;

describe('a typed fee', () => {
  it.each([
    ['percentage', '0.350', { fixedCents: null, percent: 0.35 }],
    ['percentage', ' 100 % ', { fixedCents: null, percent: 100 }],
    ['percentage', '0', { fixedCents: null, percent: 0 }],
    ['fixed', '495', { fixedCents: 495_00, percent: null }],
    ['fixed', '$1,234.56', { fixedCents: 1_234_56, percent: null }],
    ['fixed', '0', { fixedCents: 0, percent: null }],
    ['fixed', '1.15', { fixedCents: 115, percent: null }],
  ] as const)('%s %j', (type, amount, values) => {
    expect(parseFeeAmount(type, amount)).toEqual({ ok: true, ...values });
  });

  it.each([
    ['percentage', '100.001', feeMessages.percentWrong],
    ['percentage', '0.0351', feeMessages.percentWrong],
    ['percentage', '-1', feeMessages.percentWrong],
    ['percentage', '1e1', feeMessages.percentWrong],
    ['percentage', ' ', feeMessages.amountMissing],
    ['fixed', '-0.01', feeMessages.fixedWrong],
    ['fixed', '0.001', feeMessages.fixedWrong],
    ['fixed', '1000000.01', feeMessages.fixedWrong],
    ['fixed', 'free', feeMessages.fixedWrong],
  ] as const)('refuses %s %j', (type, amount, error) => {
    expect(parseFeeAmount(type, amount)).toEqual({ ok: false, error });
  });

  it('has a name of one line, a type, and somebody who pays it', () => {
    expect(parseFee({ ...typed, name: ' Title\n Search ', appliesTo: ['seller', 'buyer'] })).toEqual({
      ok: true,
      values: {
        name: 'Title Search',
        type: 'percentage',
        fixedCents: null,
        percent: 0.35,
        appliesTo: ['buyer', 'seller'],
        active: true,
      },
    });
    expect(parseFee({ ...typed, name: ' ', type: 'both', appliesTo: [] })).toEqual({
      ok: false,
      errors: {
        name: feeMessages.nameMissing,
        type: feeMessages.typeMissing,
        appliesTo: feeMessages.sideMissing,
      },
    });
    expect(parseFee({ ...typed, name: 'x'.repeat(81) })).toMatchObject({
      errors: { name: feeMessages.nameTooLong },
    });
  });

  it.each([
    [{ type: 'both' }, { type: feeMessages.typeMissing }],
    [{ amount: '' }, { amount: feeMessages.amountMissing }],
    [{ type: 'fixed', amount: 'free' }, { amount: feeMessages.fixedWrong }],
    [{ name: '' }, { name: feeMessages.nameMissing }],
    [{ appliesTo: [] }, { appliesTo: feeMessages.sideMissing }],
  ])('is refused for %j alone', (wrong, errors) => {
    expect(parseFee({ ...typed, ...wrong })).toEqual({ ok: false, errors });
  });

  it('tells all that is wrong in the order of the form', () => {
    const result = parseFee({ ...typed, name: '', amount: '101', appliesTo: [] });
    expect(result.ok ? [] : Object.keys(result.errors)).toEqual(['name', 'amount', 'appliesTo']);
  });
});

it('is shown as currency or as a percentage, with those who pay it', () => {
  expect(feeAmountText({ fixedCents: 495_00, percent: null })).toBe('$495.00');
  expect(feeAmountText({ fixedCents: null, percent: 1.5 })).toBe('1.500%');
  expect(appliesToText(['seller', 'buyer'])).toBe('Buyer, Seller');
});

describe('the example on $500,000', () => {
  const fee = (id: string, values: Partial<ManagedFee>): ManagedFee => ({
    id,
    name: id,
    type: 'percentage',
    fixedCents: null,
    percent: 1,
    appliesTo: ['buyer'],
    active: true,
    position: 0,
    createdAt: '2026-01-01T00:00:00.000Z',
    archivedAt: null,
    ...values,
  });
  const fees = [
    fee('Closing Coordination', { type: 'fixed', fixedCents: 495_00, percent: null, position: 2 }),
    fee('Buyer Protection', { percent: 1.5 }),
    fee('Title & Escrow', { percent: 0.5, position: 1 }),
    fee('Off', { active: false, position: 3 }),
    fee('Listing Preparation', { fixedCents: 150_00, percent: null, appliesTo: ['seller'], position: 4 }),
  ];
  const at = { fees, sellerShareCents: 400_000_00 };

  it('puts a new fee after those that buyers pay', () => {
    const { buyer, seller } = feeExample(
      { name: 'Title Search', fixedCents: null, percent: 0.35, appliesTo: ['buyer'] },
      { ...at, id: null },
    );
    expect(seller).toBeNull();
    expect(buyer).toEqual({
      lines: [
        { label: 'Buyer Protection (1.5%)', cents: 7_500_00, edited: false },
        { label: 'Title & Escrow (0.5%)', cents: 2_500_00, edited: false },
        { label: 'Closing Coordination', cents: 495_00, edited: false },
        { label: 'Title Search (0.35%)', cents: 1_750_00, edited: true },
      ],
      totalCents: 512_245_00,
    });
  });

  it('keeps the place of one that is edited, and takes it off what sellers receive', () => {
    const { buyer, seller } = feeExample(
      { name: 'Title', fixedCents: null, percent: 1, appliesTo: ['buyer', 'seller'] },
      { ...at, id: 'Title & Escrow' },
    );
    expect(buyer?.lines.map(({ label }) => label)).toEqual([
      'Buyer Protection (1.5%)',
      'Title (1%)',
      'Closing Coordination',
    ]);
    expect(buyer?.totalCents).toBe(512_995_00);
    expect(seller).toEqual({
      lines: [
        { label: 'Title (1%)', cents: 5_000_00, edited: true },
        { label: 'Listing Preparation', cents: 150_00, edited: false },
      ],
      totalCents: 394_850_00,
    });
  });

  it('takes no more from a seller than there is', () => {
    const { seller } = feeExample(
      { name: 'All', fixedCents: null, percent: 100, appliesTo: ['seller'] },
      { ...at, id: null },
    );
    expect(seller).toMatchObject({ totalCents: 0, lines: [{ cents: 150_00 }, { cents: 399_850_00 }] });
  });
});
