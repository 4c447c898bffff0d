import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DAY, HOUR } from '#platform/durations.ts';
import type { ProviderTransaction } from '../payments/port.ts';
import { accountsContract } from './contract-accounts.ts';
import { failure, type PayoutsFixture, payoutRequest } from './contract-fixture.ts';
import { itemsContract } from './contract-items.ts';
import type { PayoutRequest, PayoutsPort } from './port.ts';

const FUNDS = 100_000_000;

/** Contract tests for every payout provider. */
export function payoutsContract(name: string, openFixture: () => Promise<PayoutsFixture>): void {
  describe(`payouts: ${name}`, () => {
    let fixture: PayoutsFixture;
    let port: PayoutsPort;
    let to: string;
    let attempts = 0;
    beforeEach(async () => {
      fixture = await openFixture();
      ({ port } = fixture);
      to = await fixture.destination();
    });
    afterEach(() => fixture.stop());

    const request = (change: Partial<PayoutRequest> = {}) => {
      attempts += 1;
      return payoutRequest(to, attempts, change);
    };
    const look = async ({ key }: PayoutRequest, ref: string | null, sentAt = fixture.now()) =>
      port.find({ key, ref, sentAt });
    const available = async () => (await port.balance()).availableCents;
    /** Sends a payout and lets it arrive. */
    const paid = async (change: Partial<PayoutRequest> = {}) => {
      const asked = request(change);
      const { ref } = await port.send(asked);
      await fixture.arrive(asked.key);
      const state = await look(asked, ref);
      if (!state) throw new Error('The provider does not know the payout');
      return { asked, ref, state };
    };

    test('a payout arrives, and costs its amount and its fee', async () => {
      await fixture.fund(FUNDS);
      const { asked, state } = await paid();
      const { key, amountCents } = asked;
      expect(state).toMatchObject({ key, status: 'paid', paidCents: amountCents, failure: null });
      expect(state.items).toEqual([
        { ref: expect.any(String), amountCents, returnedCents: 0, status: 'paid', failure: null },
      ]);
      expect(Number.isSafeInteger(state.feeCents)).toBe(true);
      expect(await available()).toBe(FUNDS - amountCents - Number(state.feeCents));
      await expect(port.check()).resolves.toBeUndefined();
    });

    test('the same key and content are one payout, however often and whenever it is sent', async () => {
      await fixture.fund(FUNDS);
      const { asked, ref, state } = await paid();
      const after = await available();
      expect(await port.send(structuredClone(asked))).toEqual(state);
      fixture.advance(23 * HOUR);
      expect(await port.send(asked)).toMatchObject({ ref, status: 'paid', items: state.items });
      expect(await available()).toBe(after);
      const second = await paid();
      expect(second.state.items[0]?.ref).not.toBe(state.items[0]?.ref);
    });

    test('sent twice at once, it leaves once', async () => {
      await fixture.fund(FUNDS);
      const asked = request();
      const answers = await Promise.allSettled([port.send(asked), port.send(asked), port.send(asked)]);
      const refs = answers.flatMap((one) => (one.status === 'fulfilled' ? one.value.items : []));
      expect(new Set(refs.map((item) => item.ref)).size).toBe(1);
      await fixture.arrive(asked.key);
      expect(await available()).toBeGreaterThan(FUNDS - 2 * asked.amountCents);
    });

    test('the same key with other content is a conflict', async () => {
      await fixture.fund(FUNDS);
      const { asked } = await paid();
      const after = await available();
      const other = await fixture.destination();
      for (const change of [{ amountCents: 999_999 }, { amountCents: 1_000_001 }, { destination: other }])
        await expect(port.send({ ...asked, ...change })).rejects.toMatchObject(failure('conflict'));
      expect(await available()).toBe(after);
    });

    test('rejects what is malformed before anything is sent', async () => {
      await fixture.fund(FUNDS);
      const asked = request();
      const bad: Partial<PayoutRequest>[] = [
        { key: 'sale:1' },
        { saleId: 'another' },
        { amountCents: 0 },
        { amountCents: -100 },
        { amountCents: 0.5 },
        { amountCents: Number.NaN },
        { destination: '' },
        { destination: 'a b' },
        { sources: [{ paymentRef: 'pi_1', amountCents: 1_000_001 }] },
        { sources: [{ paymentRef: 'pi_1', amountCents: -1 }] },
      ];
      for (const change of bad)
        await expect(port.send({ ...asked, ...change }), JSON.stringify(change)).rejects.toMatchObject(
          failure('invalid'),
        );
      expect(await available()).toBe(FUNDS);
    });

    test('knows nothing of a payout that was never sent', async () => {
      expect(await look(request(), null)).toBeNull();
    });

    test('still finds a payout whose answer was lost, long after', async () => {
      await fixture.fund(FUNDS);
      const { asked, state } = await paid();
      const sentAt = fixture.now();
      fixture.advance(31 * DAY);
      const found = await look(asked, null, sentAt);
      expect(found).toMatchObject({ key: asked.key, status: 'paid', items: state.items });
    });

    test('a balance that is short sends nothing; a new attempt does once it is filled', async () => {
      const asked = request();
      expect(await port.send(asked)).toMatchObject({
        status: 'failed',
        items: [],
        paidCents: 0,
        failure: 'balance_short',
      });
      expect(await look(asked, null)).toBeNull();
      await fixture.fund(FUNDS);
      expect((await paid()).state.status).toBe('paid');
    });

    test('a destination that does not exist is paid nothing', async ({ skip }) => {
      if (fixture.unknownDestination === null) return skip('that shows only later');
      await fixture.fund(FUNDS);
      const state = await port.send(request({ destination: fixture.unknownDestination }));
      expect(state).toMatchObject({ status: 'failed', items: [], failure: 'destination_unknown' });
      expect(await available()).toBe(FUNDS);
    });

    test('carries $5 million in parts, complete when all have arrived', async () => {
      await fixture.fund(600_000_000);
      const { state } = await paid({ amountCents: 500_000_000 });
      expect(state).toMatchObject({ status: 'paid', paidCents: 500_000_000 });
      expect(state.items.length).toBeGreaterThan(1);
      expect(state.items.reduce((sum, item) => sum + item.amountCents, 0)).toBe(500_000_000);
    });

    test('what comes back is no longer paid, and is in the balance again', async () => {
      await fixture.fund(FUNDS);
      const { asked, ref, state } = await paid();
      await fixture.takeBack(state.items[0]?.ref ?? '');
      const back = await look(asked, ref);
      expect(back).toMatchObject({
        status: 'failed',
        paidCents: 0,
        items: [{ status: 'returned', returnedCents: asked.amountCents, failure: expect.any(String) }],
      });
      expect(back?.failure).toBe(back?.items[0]?.failure);
      expect(await available()).toBe(FUNDS - Number(state.feeCents));
    });

    test('keys of another account know nothing of it', async () => {
      await fixture.fund(FUNDS);
      const { asked } = await paid();
      expect(await fixture.otherKeys.find({ key: asked.key, ref: null, sentAt: fixture.now() })).toBeNull();
      expect(await fixture.otherKeys.account()).not.toBe(await port.account());
      expect(await port.account()).toBe(await port.account());
    });

    test('a signed message names its payout; a changed, unsigned or old one is refused', async () => {
      await fixture.fund(FUNDS);
      const { asked } = await paid();
      const { rawBody, headers } = await fixture.signedWebhook(asked.key);
      const now = fixture.now();
      const message = await port.parseWebhook({ rawBody, headers, now });
      expect(message).toEqual({
        eventId: expect.stringMatching(/./),
        type: expect.stringMatching(/./),
        payoutKey: asked.key,
        account: null,
      });
      expect(await port.parseWebhook({ rawBody, headers, now })).toEqual(message);
      const refused = (change: { rawBody?: Uint8Array; headers?: Headers; now?: Date }) =>
        expect(port.parseWebhook({ rawBody, headers, now, ...change })).rejects.toMatchObject(
          failure('bad_signature'),
        );
      await refused({ rawBody: rawBody.with(10, (rawBody.at(10) ?? 0) ^ 1) });
      await refused({ headers: new Headers({ 'content-type': 'application/json' }) });
      const other = await fixture.signedWebhook(asked.key, 'whsec_of_somebody_else');
      await refused({ rawBody: other.rawBody, headers: other.headers });
    });

    test('its own account lists what changed its balance', async ({ skip }) => {
      const { listTransactions } = port;
      if (!listTransactions) return skip('the account is shared with payments');
      await fixture.fund(FUNDS);
      const since = new Date(0);
      const { asked, state } = await paid();
      const back = await paid();
      await fixture.takeBack(back.state.items[0]?.ref ?? '');
      const all: ProviderTransaction[] = [];
      let cursor: string | undefined;
      do {
        const page = await listTransactions({ since, ...(cursor !== undefined && { cursor }) });
        all.push(...page.transactions);
        cursor = page.next ?? undefined;
      } while (cursor !== undefined);
      expect(all.map(({ kind }) => kind).sort()).toEqual([
        'bank_payout_return',
        'transfer',
        'transfer',
        'transfer_return',
      ]);
      expect(all.reduce((sum, { amountCents, feeCents }) => sum + amountCents - feeCents, 0)).toBe(
        await available(),
      );
      expect(all.find(({ objectRef }) => objectRef === state.items[0]?.ref)).toMatchObject({
        kind: 'transfer',
        amountCents: -asked.amountCents,
        feeCents: state.feeCents,
        currency: 'usd',
        saleId: asked.saleId,
      });
    });
  });
  accountsContract(name, openFixture);
  itemsContract(name, openFixture);
}
