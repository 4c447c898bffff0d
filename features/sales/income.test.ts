import { describe, expect, it } from 'vitest';
import { sellerDueCents } from '#features/ledger/rules.ts';
import { agentCommissionCents } from './amounts.ts';
import { type IncomeRow, incomeOf } from './income.ts';

const saleOf = (price: number, over: Partial<IncomeRow> = {}): IncomeRow => {
  const admin_percentage = over.admin_percentage ?? 20;
  return {
    sale_price_cents: price,
    buyer_fees_cents: 0,
    seller_fees_cents: 0,
    returned_base_cents: 0,
    escrow_status: 'in_escrow',
    agent_commission_cents: agentCommissionCents(price, admin_percentage),
    ...over,
    admin_percentage,
  };
};
const sumOf = (lines: { cents: number }[]) => lines.reduce((sum, { cents }) => sum + cents, 0);

describe("a seller's proceeds", () => {
  it('are the sale price less the platform’s share and the fees', () => {
    expect(
      incomeOf(saleOf(810_000_00, { seller_fees_cents: 100_00 }), [{ label: 'Listing', cents: 100_00 }]),
    ).toEqual({
      lines: [
        { label: 'Sale price', cents: 810_000_00 },
        { label: "Platform's share (20%)", cents: -162_000_00 },
        { label: 'Listing', cents: -100_00 },
      ],
      commissionCents: 648_000_00,
      proceedsCents: 647_900_00,
    });
  });

  it('leave out what is nothing', () => {
    expect(incomeOf(saleOf(100_00, { admin_percentage: 0 }), []).lines).toEqual([
      { label: 'Sale price', cents: 100_00 },
    ]);
  });

  it('of a cancelled sale are those agreed on', () => {
    const sale = saleOf(500_00, { escrow_status: 'cancelled', returned_base_cents: 500_00 });
    expect(incomeOf(sale, [])).toMatchObject({ proceedsCents: 400_00 });
    expect(incomeOf({ ...sale, escrow_status: 'completed' }, [])).toMatchObject({ proceedsCents: 0 });
  });

  it('say what went back to the buyer', () => {
    const sale = saleOf(500_00, { escrow_status: 'completed', returned_base_cents: 100_00 });
    expect(incomeOf(sale, [])).toMatchObject({
      lines: [{ cents: 500_00 }, { label: 'Refunded to the buyer', cents: -100_00 }, { cents: -80_00 }],
      proceedsCents: 320_00,
    });
  });

  it('add up to the cent and are what the ledger pays, whatever the amounts', () => {
    for (let price = 1; price < 40_000; price += 977)
      for (const percent of [0, 0.125, 6, 20, 33.333, 94, 100])
        for (const returned of [0, 1, Math.floor(price / 3), price])
          for (const fees of [[], [1, 5_00], [price, 1]]) {
            const feeSum = fees.reduce((sum, cents) => sum + cents, 0);
            const sale = saleOf(price, {
              admin_percentage: percent,
              returned_base_cents: returned,
              seller_fees_cents: feeSum,
            });
            const lines = fees.map((cents, at) => ({ label: `Fee ${at}`, cents }));
            const income = incomeOf(sale, lines);
            expect(sumOf(income.lines)).toBe(income.proceedsCents);
            expect(income.lines.every(({ cents }) => Number.isSafeInteger(cents))).toBe(true);
            const amounts = {
              basePriceCents: price,
              buyerFeesCents: 0,
              agentCommissionCents: sale.agent_commission_cents,
              sellerFeesCents: feeSum,
            };
            expect(income.proceedsCents).toBe(sellerDueCents(amounts, price - returned));
          }
  });
});
