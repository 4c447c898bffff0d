import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DAY } from '#platform/durations.ts';
import { failure, type PayoutsFixture, payoutRequest } from './contract-fixture.ts';
import type { PayoutOnboarding, PayoutsPort } from './port.ts';

const FUNDS = 10_000_000;
const URLS = { returnUrl: 'https://market.example/back', refreshUrl: 'https://market.example/again' };

/** Contract tests for providers where sellers have an account of their own; without effect for others. */
export function accountsContract(name: string, openFixture: () => Promise<PayoutsFixture>): void {
  describe(`payouts: ${name}: accounts of sellers`, () => {
    let fixture: PayoutsFixture;
    let port: PayoutsPort;
    let attempts = 0;
    beforeEach(async () => {
      fixture = await openFixture();
      ({ port } = fixture);
    });
    afterEach(() => fixture.stop());

    const connect = (): {
      sellers: NonNullable<PayoutsFixture['sellers']>;
      onboarding: PayoutOnboarding;
    } | null =>
      fixture.sellers && port.onboarding ? { sellers: fixture.sellers, onboarding: port.onboarding } : null;
    const seller = () => ({ agentId: randomUUID(), email: 'seller@market.example', name: 'Sandra Seller' });
    const request = (destination: string, change: Parameters<typeof payoutRequest>[2] = {}) => {
      attempts += 1;
      return payoutRequest(destination, attempts, change);
    };
    const NONE = 'sellers have no account at the provider';

    test('an account becomes active on the hosted page, and says what is missing before', async ({
      skip,
    }) => {
      const provider = connect();
      if (!provider) return skip(NONE);
      const { sellers, onboarding } = provider;
      const who = seller();
      const created = await onboarding.create(who, 'account:a');
      expect(created).toEqual({
        ref: expect.any(String),
        transfersActive: false,
        requirement: expect.stringMatching(/\.$/),
      });
      expect(await onboarding.create(who, 'account:a')).toMatchObject({ ref: created.ref });
      await expect(onboarding.create(seller(), 'account:a')).rejects.toMatchObject(failure('conflict'));
      const { url } = await onboarding.link(created.ref, URLS);
      expect(URL.canParse(url)).toBe(true);
      expect((await onboarding.link(created.ref, URLS)).url).not.toBe(url);
      await expect(onboarding.loginLink(created.ref)).rejects.toMatchObject(failure('conflict'));
      await sellers.activate(created.ref);
      expect(await onboarding.state(created.ref)).toEqual({
        ref: created.ref,
        transfersActive: true,
        requirement: null,
      });
      expect(URL.canParse((await onboarding.loginLink(created.ref)).url)).toBe(true);
      await sellers.demand(created.ref);
      expect(await onboarding.state(created.ref)).toMatchObject({
        transfersActive: false,
        requirement: expect.stringMatching(/\.$/),
      });
      const { rawBody, headers } = await fixture.signedWebhook(created.ref);
      expect(await port.parseWebhook({ rawBody, headers, now: fixture.now() })).toMatchObject({
        payoutKey: null,
        account: created.ref,
      });
    });

    test('rejects accounts that do not exist', async ({ skip }) => {
      const provider = connect();
      if (!provider) return skip(NONE);
      const { ref } = await provider.onboarding.create(seller(), 'account:b');
      for (const unknown of [`${ref.slice(0, -4)}0000`, '../accounts', ''])
        for (const ask of [
          () => provider.onboarding.state(unknown),
          () => provider.onboarding.link(unknown, URLS),
          () => provider.onboarding.loginLink(unknown),
        ])
          await expect(ask(), unknown).rejects.toMatchObject(failure('not_found'));
    });

    test('an account that is not active is paid nothing', async ({ skip }) => {
      const provider = connect();
      if (!provider) return skip(NONE);
      await fixture.fund(FUNDS);
      const { ref } = await provider.onboarding.create(seller(), 'account:c');
      const state = await port.send(request(ref));
      expect(state).toMatchObject({ status: 'failed', items: [], failure: 'account_inactive' });
      expect(await port.balance()).toMatchObject({ availableCents: FUNDS });
    });

    test('a payout is funded by its payments, also before they are available', async ({ skip }) => {
      const provider = connect();
      if (!provider) return skip(NONE);
      const to = await fixture.destination();
      const paymentRef = await provider.sellers.pay(2_000_000, 2 * DAY);
      const { availableCents, pendingCents } = await port.balance();
      expect(availableCents).toBe(0);
      const state = await port.send(request(to, { sources: [{ paymentRef, amountCents: 1_000_000 }] }));
      expect(state).toMatchObject({ status: 'paid', paidCents: 1_000_000 });
      expect(state.arrivesAt?.getTime()).toBeGreaterThanOrEqual(fixture.now().getTime() + 2 * DAY);
      expect(await port.balance()).toEqual({ availableCents: 0, pendingCents: pendingCents - 1_000_000 });
    });

    test('one part for each payment, and one for what they do not cover', async ({ skip }) => {
      const provider = connect();
      if (!provider) return skip(NONE);
      const to = await fixture.destination();
      await fixture.fund(FUNDS);
      const [first, second] = [await provider.sellers.pay(300_000), await provider.sellers.pay(400_000)];
      const sources = [
        { paymentRef: first, amountCents: 250_000 },
        { paymentRef: second, amountCents: 350_000 },
      ];
      const state = await port.send(request(to, { sources }));
      expect(state).toMatchObject({ status: 'paid', paidCents: 1_000_000 });
      expect(state.items.map(({ amountCents }) => amountCents)).toEqual([250_000, 350_000, 400_000]);
    });

    test('a payment funds no more than itself; what was sent before stays, and is known', async ({
      skip,
    }) => {
      const provider = connect();
      if (!provider) return skip(NONE);
      const to = await fixture.destination();
      await fixture.fund(FUNDS);
      const [first, second] = [await provider.sellers.pay(300_000), await provider.sellers.pay(400_000)];
      const sources = [
        { paymentRef: first, amountCents: 300_000 },
        { paymentRef: second, amountCents: 400_001 },
      ];
      const asked = request(to, { sources, amountCents: 700_001 });
      const state = await port.send(asked);
      expect(state).toMatchObject({ status: 'partly_paid', paidCents: 300_000, failure: 'limit' });
      // The rest could still be on its way: only sending again tells.
      const sentAt = fixture.now();
      expect(await port.find({ key: asked.key, ref: state.ref, sentAt })).toBeNull();
      expect(await port.send(asked)).toMatchObject({ status: 'partly_paid', items: state.items });
      fixture.advance(2 * DAY);
      expect(await port.find({ key: asked.key, ref: state.ref, sentAt })).toMatchObject({
        status: 'partly_paid',
        paidCents: 300_000,
      });
    });

    test('a payout can be taken back, in parts and once for each key', async ({ skip }) => {
      const { reverse } = port;
      if (!reverse) return skip('payouts cannot be taken back');
      await fixture.fund(FUNDS);
      const asked = request(await fixture.destination());
      const { key: payoutKey } = asked;
      await port.send(asked);
      const first = await reverse({ payoutKey, amountCents: 400_000 }, 'reverse:a');
      expect(first).toEqual({ reversedCents: 400_000, refs: [expect.any(String)] });
      expect(await reverse({ payoutKey, amountCents: 400_000 }, 'reverse:a')).toEqual(first);
      const different = reverse({ payoutKey, amountCents: 399_999 }, 'reverse:a');
      await expect(different).rejects.toMatchObject(failure('conflict'));
      expect(await port.balance()).toMatchObject({ availableCents: FUNDS - 600_000 });
      const find = () => port.find({ key: payoutKey, ref: null, sentAt: fixture.now() });
      expect(await find()).toMatchObject({
        status: 'partly_paid',
        paidCents: 600_000,
        items: [{ status: 'paid', returnedCents: 400_000 }],
      });
      const beyond = reverse({ payoutKey, amountCents: 600_001 }, 'reverse:b');
      await expect(beyond).rejects.toMatchObject(failure('limit'));
      await reverse({ payoutKey, amountCents: 600_000 }, 'reverse:c');
      expect(await find()).toMatchObject({ status: 'failed', paidCents: 0, failure: 'reversed' });
      expect(await port.balance()).toMatchObject({ availableCents: FUNDS });
    });

    test('takes back the last parts first', async ({ skip }) => {
      const provider = connect();
      if (!port.reverse || !provider) return skip('payouts cannot be taken back');
      const [first, second] = [await provider.sellers.pay(600_000), await provider.sellers.pay(400_000)];
      const sources = [
        { paymentRef: first, amountCents: 600_000 },
        { paymentRef: second, amountCents: 400_000 },
      ];
      await fixture.fund(FUNDS);
      const asked = request(await fixture.destination(), { sources });
      await port.send(asked);
      const { refs } = await port.reverse({ payoutKey: asked.key, amountCents: 500_000 }, 'reverse:d');
      expect(refs).toHaveLength(2);
      const state = await port.find({ key: asked.key, ref: null, sentAt: fixture.now() });
      expect(state?.items.map(({ returnedCents }) => returnedCents)).toEqual([100_000, 400_000]);
    });

    test('what has gone to the seller’s bank cannot be taken back', async ({ skip }) => {
      const provider = connect();
      if (!port.reverse || !provider) return skip('payouts cannot be taken back');
      await fixture.fund(FUNDS);
      const to = await fixture.destination();
      const asked = request(to);
      await port.send(asked);
      await provider.sellers.payOut(to);
      const late = port.reverse({ payoutKey: asked.key, amountCents: 1 }, 'reverse:e');
      await expect(late).rejects.toMatchObject(failure('declined'));
      expect(await port.balance()).toMatchObject({ availableCents: FUNDS - 1_000_000 });
    });
  });
}
