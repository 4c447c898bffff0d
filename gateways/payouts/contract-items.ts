import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type PayoutsFixture, payoutRequest } from './contract-fixture.ts';
import type { PayoutState, PayoutsPort } from './port.ts';

const FUNDS = 100_000_000;

/** Contract tests for providers that process the items of a payout one by one; without effect for others. */
export function itemsContract(name: string, openFixture: () => Promise<PayoutsFixture>): void {
  describe(`payouts: ${name}: items`, () => {
    let fixture: PayoutsFixture;
    let port: PayoutsPort;
    let items: PayoutsFixture['items'];
    beforeEach(async () => {
      fixture = await openFixture();
      ({ port, items } = fixture);
      await fixture.fund(FUNDS);
    });
    afterEach(() => fixture.stop());

    /** A payout of three items that are all being processed. */
    const sent = async (attempt: number) => {
      const asked = payoutRequest(await fixture.destination(), attempt, { amountCents: 5_000_000 });
      const state = await port.send(asked);
      const [first = '', second = '', third = ''] = state.items.map(({ ref }) => ref);
      const look = async (): Promise<PayoutState> => {
        const found = await port.find({ key: asked.key, ref: state.ref, sentAt: fixture.now() });
        if (!found) throw new Error('The provider does not know the payout');
        return found;
      };
      return { key: asked.key, state, first, second, third, look };
    };
    const available = async () => (await port.balance()).availableCents;

    test('each is at most $20,000, and is processed before it arrives', async ({ skip }) => {
      if (!items) return skip('transfers arrive at once');
      const { state, key, look } = await sent(1);
      expect(state).toMatchObject({ status: 'processing', paidCents: 0, feeCents: null, failure: null });
      expect(state.ref).not.toBeNull();
      expect(state.items.map(({ amountCents }) => amountCents)).toEqual([2_000_000, 2_000_000, 1_000_000]);
      await fixture.arrive(key);
      expect(await look()).toMatchObject({ status: 'paid', paidCents: 5_000_000 });
    });

    test('one that fails has cost nothing, and leaves the payout partly paid', async ({ skip }) => {
      if (!items) return skip('transfers arrive at once');
      const { key, first, look } = await sent(1);
      await items.fail(first);
      expect((await look()).status).toBe('processing');
      await fixture.arrive(key);
      const state = await look();
      expect(state).toMatchObject({ status: 'partly_paid', paidCents: 3_000_000, failure: 'other' });
      expect(state.items[0]).toMatchObject({ status: 'failed', returnedCents: 0 });
      expect(await available()).toBe(FUNDS - 3_000_000 - Number(state.feeCents));
    });

    test('one that is held goes on, or is blocked', async ({ skip }) => {
      if (!items) return skip('transfers arrive at once');
      const { key, first, second, look } = await sent(1);
      await items.hold(first);
      await items.hold(second);
      expect((await look()).items[0]).toMatchObject({ status: 'processing', failure: 'blocked' });
      await items.block(second);
      await fixture.arrive(key);
      expect(await look()).toMatchObject({
        status: 'partly_paid',
        paidCents: 3_000_000,
        failure: 'blocked',
        items: [{ status: 'paid' }, { status: 'failed', failure: 'blocked' }, { status: 'paid' }],
      });
    });

    test('each costs its fee once it has left, and one that is held or blocked nothing', async ({ skip }) => {
      if (!items) return skip('transfers arrive at once');
      const { key, first, second, third, look } = await sent(1);
      for (const item of [first, second, third]) await items.hold(item);
      expect((await look()).feeCents).toBeNull();
      await items.unclaim(first);
      const { feeCents } = await look();
      expect(feeCents).toBeGreaterThan(0);
      await items.block(second);
      expect((await look()).feeCents).toBe(feeCents);
      await fixture.arrive(key);
      const state = await look();
      expect(state.feeCents).toBeGreaterThan(Number(feeCents));
      await items.expire(first);
      expect((await look()).feeCents).toBe(state.feeCents);
      expect(await available()).toBe(FUNDS - 1_000_000 - Number(state.feeCents));
    });

    test('one that nobody claims is still on its way, and is returned', async ({ skip }) => {
      if (!items) return skip('transfers arrive at once');
      const { first, second, third, look } = await sent(1);
      for (const item of [first, second, third]) await items.unclaim(item);
      expect(await look()).toMatchObject({ status: 'processing', paidCents: 0, failure: 'unclaimed' });
      for (const item of [first, second, third]) await items.expire(item);
      const state = await look();
      expect(state).toMatchObject({ status: 'failed', paidCents: 0, failure: 'returned' });
      expect(state.items[0]).toMatchObject({ status: 'returned', returnedCents: 2_000_000 });
      expect(await available()).toBe(FUNDS - Number(state.feeCents));
    });

    test('what is on its way cannot be spent again', async ({ skip }) => {
      if (!items) return skip('transfers arrive at once');
      await sent(1);
      expect(await available()).toBeLessThan(FUNDS - 5_000_000);
      const rest = payoutRequest(await fixture.destination(), 2, { amountCents: FUNDS - 5_000_000 });
      expect(await port.send(rest)).toMatchObject({ status: 'failed', failure: 'balance_short' });
    });
  });
}
