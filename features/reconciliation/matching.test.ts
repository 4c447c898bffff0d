import { describe, expect, it } from 'vitest';
import { booking, DAY_0, later, posting, statement } from '#tests/support/fixtures/statements.ts';
import { reconcileStatement } from './findings.ts';

describe('matching a statement with the books', () => {
  it('takes one posting for a payment and its fee together', () => {
    const { matches, findings } = reconcileStatement(
      statement({
        bookings: [booking({ feeCents: 320, open: ['amount', 'fee'] })],
        postings: [posting({ cents: 9_680 })],
      }),
    );
    expect(findings).toEqual([]);
    expect(matches).toEqual([{ bookingId: 'a booking', parts: ['amount', 'fee'], postingId: 1 }]);
  });

  it('takes one posting for the whole past of a sale, and nothing that came after it', () => {
    const bookings = [
      booking({ feeCents: 320, open: ['amount', 'fee'] }),
      booking({ id: 'refund', kind: 'refund', amountCents: -4_000, refs: ['re'], objectRef: 're' }),
      booking({
        id: 'new',
        kind: 'refund',
        amountCents: -1_000,
        at: later(9),
        refs: ['re 2'],
        objectRef: 're 2',
      }),
    ];
    const postings = [posting({ kind: null, cents: 5_680, at: later(5) })];
    const { matches, findings } = reconcileStatement(statement({ bookings, postings }));
    expect(matches.map(({ bookingId, postingId }) => [bookingId, postingId])).toEqual([
      ['a booking', 1],
      ['refund', 1],
    ]);
    expect(findings).toMatchObject([{ bookingId: 'new', kind: 'unexpected_refund' }]);
  });

  it.each([
    ['all of it', [-5_000, -5_000, -2_000], [], -12_000, 3],
    ['without what failed', [-5_000, -5_000, -2_000], [5_000], -7_000, 4],
    ['before what came back later', [-5_000, -5_000, -2_000], [5_000], -12_000, 3],
  ])('takes one posting for a refund that was booked in parts: %s', (_, out, back, cents, count) => {
    const part = (id: string, kind: 'refund' | 'refund_return', amountCents: number) =>
      booking({ id, kind, amountCents, refs: [id, 're'], objectRef: 're' });
    const { matches } = reconcileStatement(
      statement({
        bookings: [
          ...out.map((amount, at) => part(`out ${at}`, 'refund', amount)),
          ...back.map((amount, at) => part(`back ${at}`, 'refund_return', amount)),
          // Another refund, of as much as one of the parts.
          booking({ id: 'next', kind: 'refund', amountCents: -5_000, refs: ['re 2'], objectRef: 're 2' }),
        ],
        postings: [posting({ kind: 'refund', cents }), posting({ id: 2, kind: 'refund', cents: -5_000 })],
      }),
    );
    expect(matches.filter(({ postingId }) => postingId === 1)).toHaveLength(count);
    expect(matches.filter(({ postingId }) => postingId === 2)).toMatchObject([{ bookingId: 'next' }]);
  });

  it('takes fees of a dispute that were charged one by one for those posted at once, and given back ones for none', () => {
    const fee = (id: string, cents: number, ref: string) =>
      booking({ id, kind: 'fee', amountCents: -cents, refs: [id, ref], objectRef: ref });
    const { matches, findings } = reconcileStatement(
      statement({
        bookings: [
          fee('one', 1_500, 'dp'),
          fee('two', 1_500, 'dp'),
          fee('out', 1_500, 'dp 2'),
          fee('back', -1_500, 'dp 2'),
        ],
        postings: [posting({ kind: 'fee', ref: 'dp', cents: -3_000 })],
      }),
    );
    expect(findings).toEqual([]);
    expect(matches.map(({ bookingId, postingId }) => [bookingId, postingId])).toEqual([
      ['one', 1],
      ['two', 1],
      ['out', null],
      ['back', null],
    ]);
  });

  it('takes fees that were posted one by one for one that was charged at once, and the other way round', () => {
    const fee = (id: string, cents: number) =>
      booking({ id, kind: 'fee', amountCents: -cents, refs: [id, 'dp'], objectRef: 'dp' });
    const posted = (id: number, cents: number) => posting({ id, kind: 'fee', ref: 'dp', cents: -cents });
    const matched = (bookings: ReturnType<typeof booking>[], postings: ReturnType<typeof posting>[]) => {
      const { matches, findings } = reconcileStatement(statement({ bookings, postings }));
      expect(findings).toEqual([]);
      return matches.map(({ bookingId, parts, postingId }) => [bookingId, parts.length, postingId]);
    };
    expect(matched([fee('all', 3_000)], [posted(1, 1_600), posted(2, 1_400)])).toEqual([
      ['all', 1, 1],
      ['all', 0, 2],
    ]);
    expect(matched([fee('one', 1_600), fee('two', 1_400)], [posted(1, 1_000), posted(2, 2_000)])).toEqual([
      ['one', 1, 1],
      ['two', 1, 2],
    ]);
  });

  it('takes no booking for the past of a sale that has none', () => {
    const { matches } = reconcileStatement(
      statement({ postings: [posting({ kind: null, saleId: 'another', cents: 5 })], now: later(0) }),
    );
    expect(matches).toEqual([]);
  });

  it('takes a posting by its reference alone where it names no kind, and not one of another kind', () => {
    const take = (kind: 'payment' | 'refund' | null) =>
      reconcileStatement(
        statement({
          bookings: [booking({ refs: ['pi'] })],
          postings: [posting({ kind, ref: 'pi', saleId: 'another' })],
        }),
      ).matches.length;
    expect([take(null), take('payment'), take('refund')]).toEqual([1, 1, 0]);
  });

  it('waits for the postings of a fee that was charged and given back', () => {
    const fee = (id: string, cents: number) =>
      booking({ id, kind: 'fee', amountCents: -cents, refs: [id, 'dp'], objectRef: 'dp' });
    const { matches, findings } = reconcileStatement(
      statement({ bookings: [fee('out', 1_500), fee('back', -1_500)], now: DAY_0 }),
    );
    expect([matches, findings]).toEqual([[], []]);
  });

  it('takes one posting for the fees of items that follow each other, and for what was taken back from them', () => {
    const item = (id: string, kind: 'transfer' | 'transfer_return', cents: number, feeCents = 0) =>
      booking({
        id,
        kind,
        amountCents: cents,
        feeCents,
        refs: [id],
        objectRef: id,
        open: feeCents ? ['amount', 'fee'] : ['amount'],
      });
    const { matches, findings } = reconcileStatement(
      statement({
        bookings: [
          ...['a', 'b', 'c'].map((id) => item(id, 'transfer', -5_000, 25)),
          item('back of c', 'transfer_return', 5_000),
          item('back of b', 'transfer_return', 2_000),
          item('back of a', 'transfer_return', 900),
        ],
        postings: [
          ...['a', 'b', 'c'].map((ref, at) => posting({ id: at + 1, kind: 'transfer', ref, cents: -5_000 })),
          posting({ id: 4, kind: 'fee', cents: -50 }),
          posting({ id: 5, kind: 'fee', cents: -25 }),
          posting({ id: 6, kind: 'transfer_return', cents: 2_900 }),
          posting({ id: 7, kind: 'transfer_return', cents: 5_000 }),
        ],
      }),
    );
    expect(findings).toEqual([]);
    const matched = (id: number) =>
      matches.filter(({ postingId }) => postingId === id).map(({ bookingId }) => bookingId);
    expect(matched(4)).toHaveLength(2);
    expect(matched(6)).toEqual(['back of b', 'back of a']);
    expect(matched(7)).toEqual(['back of c']);
  });

  it('takes no posting of another sale, or with a reference, for transfers in parts', () => {
    const bookings = ['a', 'b'].map((id) =>
      booking({ id, kind: 'transfer_return', amountCents: 500, refs: [id], objectRef: id }),
    );
    const sum = { kind: 'transfer_return', cents: 1_000 } as const;
    for (const change of [{ saleId: 'another' }, { ref: 'other' }, { cents: 999 }])
      expect(
        reconcileStatement(statement({ bookings, postings: [posting({ ...sum, ...change })] })).matches,
      ).toEqual([]);
    const nameless = bookings.map((one) => ({ ...one, saleId: null }));
    expect(
      reconcileStatement(statement({ bookings: nameless, postings: [posting({ ...sum, saleId: null })] }))
        .matches,
    ).toEqual([]);
  });

  it('never takes what bears another reference, and finds both sides', () => {
    const { matches, findings } = reconcileStatement(
      statement({
        bookings: [booking({ kind: 'refund', amountCents: -500, refs: ['re 1'], objectRef: 're 1' })],
        postings: [posting({ kind: 'refund', cents: -500, ref: 're 2' })],
      }),
    );
    expect(matches).toEqual([]);
    expect(findings.map(({ kind }) => kind)).toEqual(['unexpected_refund', 'missing_at_provider']);
  });

  it('waits for a refund of ours that is still on its way', () => {
    const bookings = [booking({ kind: 'refund', amountCents: -500, refs: ['re'], objectRef: 're' })];
    const ownRefunds = new Set(['re']);
    const found = (runningRefunds: Set<string>) =>
      reconcileStatement(statement({ bookings, ownRefunds, runningRefunds })).findings.map(
        ({ kind }) => kind,
      );
    expect(found(new Set(['re']))).toEqual([]);
    expect(found(new Set())).toEqual(['missing_message']);
  });

  it('finds a payment of another amount than the sale that was never posted', () => {
    const { findings } = reconcileStatement(statement({ bookings: [booking({ amountCents: 9_999 })] }));
    expect(findings).toMatchObject([{ kind: 'wrong_amount', theirsCents: 9_999, oursCents: 0 }]);
  });

  it.each([
    ['dispute_return', 'sale', 'missing_message'],
    ['refund_return', null, 'unknown_transaction'],
    ['transfer', 'sale', 'unknown_transaction'],
    ['adjustment', null, 'unknown_transaction'],
    ['fee', 'sale', 'fee_drift'],
  ] as const)('finds a %s of %s that nobody posted', (kind, saleId, found) => {
    const { findings } = reconcileStatement(statement({ bookings: [booking({ kind, saleId })] }));
    expect(findings.map((finding) => finding.kind)).toEqual([found]);
  });

  it('finds a fee in the books that the provider did not charge', () => {
    const { findings } = reconcileStatement(
      statement({
        bookings: [booking({})],
        postings: [posting({}), posting({ id: 2, kind: 'fee', cents: -320 })],
      }),
    );
    expect(findings).toMatchObject([{ kind: 'fee_drift', theirsCents: 0, oursCents: -320, postingIds: [2] }]);
  });

  it('follows payouts to the bank, fees of the account and refunds that end a break', () => {
    const bookings = [
      booking({ id: 'payout', kind: 'bank_payout', saleId: null }),
      booking({ id: 'fee', kind: 'fee', saleId: null }),
      booking({ id: 'refund', kind: 'refund', saleId: null, refs: ['re'] }),
      booking({ id: 'other', kind: 'refund', saleId: null, refs: ['re 2'] }),
    ];
    const { toPost, findings } = reconcileStatement(statement({ bookings, breakRefunds: new Set(['re']) }));
    expect(toPost.map(({ id }) => id)).toEqual(['payout', 'fee', 'refund']);
    expect(findings.map(({ bookingId }) => bookingId)).toEqual(['other']);
  });
});
