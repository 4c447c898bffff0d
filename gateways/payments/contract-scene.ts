import { afterEach, beforeEach, expect } from 'vitest';
import { fixtureRequest, type PaymentsFixture, type UnpaidFixture } from './contract-fixture.ts';
import type { CheckoutRequest, CheckoutStatus, PaymentErrorCode, PaymentsPort } from './port.ts';

/** What a failed call throws. */
export const failure = (code: PaymentErrorCode) => ({
  name: 'PaymentError',
  code,
  retryable: code === 'rate_limited' || code === 'unavailable',
});

/** Reasons that are longer than what providers store, one of which would be cut within a character. */
export const longReasons = ['', 'x'].map((start) => start + '🏠'.repeat(900));

/** A new fixture for each test, and the steps that many tests begin with. */
export function contractScene(openFixture: () => Promise<PaymentsFixture>) {
  const scene = unpaidScene(openFixture);
  return Object.assign(scene, {
    async paid(change: Partial<CheckoutRequest> = {}) {
      const ref = await scene.open(change);
      await scene.fixture.pay(ref);
      return ref;
    },
  });
}

/** The same where nobody pays. */
export function unpaidScene<Fixture extends UnpaidFixture>(openFixture: () => Promise<Fixture>) {
  let fixture: Fixture;
  let port: PaymentsPort;
  let keys: number;
  beforeEach(async () => {
    fixture = await openFixture();
    port = fixture.port;
    keys = 0;
  });
  afterEach(() => fixture.stop());

  const key = () => `${fixture.keyPrefix ?? ''}sale:${++keys}`;
  const request = (change: Partial<CheckoutRequest> = {}) => fixtureRequest(fixture, change);
  const open = async (change: Partial<CheckoutRequest> = {}) =>
    (await port.createCheckout(request(change), key())).ref;
  return {
    get fixture() {
      return fixture;
    },
    get port() {
      return port;
    },
    key,
    inMs: (milliseconds: number) => new Date(fixture.now().getTime() + milliseconds),
    request,
    open,
    refund: (ref: string, amountCents: number, refundKey = key()) =>
      port.refund({ ref, amountCents, reason: 'The sale was canceled' }, refundKey),
    async expectStatus(ref: string, status: CheckoutStatus) {
      expect(await port.getCheckout(ref)).toMatchObject({ ref, status });
    },
  };
}
