import {
  PaymentError,
  type PaymentMethod,
  type PaymentMethodLimits,
  type Payments,
  type PaymentsPort,
} from '#gateways/payments/port.ts';

type ProvidersByMethod = Record<PaymentMethod, PaymentsPort | null>;

/** The provider of each payment method; null where none is configured. */
export const providersByMethod = (payments: Payments): ProvidersByMethod => ({
  card: providerOf(payments, 'card'),
  crypto: providerOf(payments, 'crypto'),
});

export const limitsOf = ({
  card,
  crypto,
}: ProvidersByMethod): Record<PaymentMethod, PaymentMethodLimits | null> => ({
  card: card?.limits ?? null,
  crypto: crypto?.limits ?? null,
});

function providerOf(payments: Payments, method: PaymentMethod): PaymentsPort | null {
  try {
    return payments.forMethod(method);
  } catch (error) {
    if (error instanceof PaymentError && error.code === 'unavailable') return null;
    throw error;
  }
}

/** Whether real money moves ('live'); otherwise the provider's test mode or our own sandbox. */
export const modeOf = (port: PaymentsPort): 'live' | 'test' | 'sandbox' =>
  port.livemode ? 'live' : port.provider.startsWith('sandbox') ? 'sandbox' : 'test';
