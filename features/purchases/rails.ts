import {
  PaymentError,
  type Payments,
  type PaymentsPort,
  type Rail,
  type RailLimits,
} from '#gateways/payments/port.ts';

type Rails = Record<Rail, PaymentsPort | null>;

/** The provider of each rail; null where none is set up. */
export const openRails = (payments: Payments): Rails => ({
  card: providerOf(payments, 'card'),
  crypto: providerOf(payments, 'crypto'),
});

export const limitsOf = ({ card, crypto }: Rails): Record<Rail, RailLimits | null> => ({
  card: card?.limits ?? null,
  crypto: crypto?.limits ?? null,
});

function providerOf(payments: Payments, rail: Rail): PaymentsPort | null {
  try {
    return payments.forRail(rail);
  } catch (error) {
    if (error instanceof PaymentError && error.code === 'unavailable') return null;
    throw error;
  }
}

/** Whether money is real there; what is not is the provider's test mode or our own sandbox. */
export const modeOf = (port: PaymentsPort): 'live' | 'test' | 'sandbox' =>
  port.livemode ? 'live' : port.provider.startsWith('sandbox') ? 'sandbox' : 'test';
