import { describe, expect, it } from 'vitest';
import { validateEvidence } from '#gateways/payments/evidence.ts';
import { composeEvidence } from './compose-evidence.ts';
import type { DisputedSale } from './model.ts';

const at = (text: string) => new Date(`${text}:00Z`);

const sale: DisputedSale = {
  buyer: { name: 'Ada Vance', email: 'ada@example.test', ip: '203.0.113.9' },
  property: { address: '12 Alder Way', town: 'Austin, TX 78701' },
  seller: { name: 'Sam Ortiz' },
  paidAt: at('2026-03-02T10:05'),
  documentsDeliveredAt: at('2026-03-09T16:30'),
  releasedAt: at('2026-03-10T09:00'),
  receiptNumber: 'ATP-000042',
  paymentRef: 'pi_42',
  basePriceCents: 300_000_00,
  fees: [{ label: 'Closing (1.5%)', cents: 4_500_00 }],
  totalCents: 304_500_00,
  refunds: [],
  brand: 'Bell & Acre',
  history: [
    { at: at('2026-03-02T10:00'), label: 'Purchase started', by: 'Buyer', note: null },
    { at: at('2026-03-10T09:00'), label: 'Closing confirmed', by: 'Buyer', note: 'All fine.' },
  ],
  documents: [
    { id: 'deed', at: at('2026-03-09T16:30'), name: 'Deed.pdf', number: null, sha256: 'ab12' },
    {
      id: 'settlement',
      at: at('2026-03-10T09:01'),
      name: 'Settlement.pdf',
      number: 'ATP-000042-S',
      sha256: 'cd34',
    },
  ],
  attachments: [],
  messages: [
    { at: at('2026-03-09T17:00'), by: 'Seller', text: 'The deed is in your folder.' },
    { at: at('2026-03-09T18:00'), by: 'Buyer', text: 'Got it, thank you!' },
  ],
};

describe('the evidence for a dispute', () => {
  it('says who bought what, when it was delivered, and what both sides wrote', () => {
    const texts = composeEvidence(sale, 'The buyer has moved in.');
    expect(texts).toMatchObject({
      productDescription:
        'Purchase of the property 12 Alder Way, Austin, TX 78701, from Sam Ortiz, through escrow at Bell & Acre.',
      customerName: 'Ada Vance',
      customerEmail: 'ada@example.test',
      customerPurchaseIp: '203.0.113.9',
      serviceDate: 'March 10, 2026',
      accessLog: `History of the purchase:
2026-03-02 10:00 UTC · Buyer · Purchase started
2026-03-10 09:00 UTC · Buyer · Closing confirmed: All fine.`,
      refundRefusalExplanation: 'The closing documents were delivered, and no refund is owed.',
    });
    expect(texts.statement).toBe(`The buyer has moved in.

Receipt ATP-000042
Paid: 2026-03-02 10:05 UTC
Payment: pi_42
Price: $300,000.00
Closing (1.5%): $4,500.00
Total: $304,500.00

Closing documents delivered: 2026-03-09 16:30 UTC
Closing completed, escrow released: 2026-03-10 09:00 UTC

Documents that were delivered and that the buyer can open:
2026-03-09 16:30 UTC · Deed.pdf · SHA-256 ab12
2026-03-10 09:01 UTC · Settlement.pdf · ATP-000042-S · SHA-256 cd34

What buyer and seller wrote to each other since the purchase was started:
2026-03-09 17:00 UTC · Seller: The deed is in your folder.
2026-03-09 18:00 UTC · Buyer: Got it, thank you!`);
  });

  it('leaves out what is not known, and does not claim a delivery or explain a refusal that was none', () => {
    const texts = composeEvidence(
      {
        ...sale,
        buyer: { ...sale.buyer, ip: null },
        documentsDeliveredAt: null,
        releasedAt: null,
        receiptNumber: null,
        paymentRef: null,
        paidAt: null,
        documents: [],
        messages: [],
        refunds: [{ cents: 1_000_00, at: at('2026-03-05T12:00') }],
      },
      '',
    );
    expect(texts).not.toHaveProperty('customerPurchaseIp');
    expect(texts).not.toHaveProperty('serviceDate');
    expect(texts).not.toHaveProperty('refundRefusalExplanation');
    expect(texts.statement).toBe(`Payment
Price: $300,000.00
Closing (1.5%): $4,500.00
Total: $304,500.00
Refunded on March 5, 2026: $1,000.00`);
    expect(
      composeEvidence({ ...sale, documentsDeliveredAt: null, releasedAt: null }, '').refundRefusalExplanation,
    ).toMatch(/^The payment is held in escrow/);
  });

  it('of a long history and conversation keeps what providers accept: the newest, in whole lines', () => {
    const many = Array.from({ length: 400 }, (_, number) => ({
      at: new Date(Date.UTC(2026, 2, 3) + number * 60_000),
      by: 'Buyer',
      text: `${number} ${'x'.repeat(300)}`,
    }));
    const texts = composeEvidence(
      {
        ...sale,
        messages: many,
        history: many.map(({ text, ...one }) => ({ ...one, label: text, note: null })),
      },
      'y'.repeat(4_000),
    );
    validateEvidence({ disputeRef: 'dp', texts, files: [] });
    for (const text of [texts.statement ?? '', texts.accessLog ?? '']) {
      expect(text.length).toBeGreaterThan(19_000);
      expect(text).toContain('Buyer');
      expect(text).toContain(' 399 x');
      expect(text).not.toContain(' 0 x');
    }
    expect(texts.statement?.startsWith('yyy')).toBe(true);
  });
});
