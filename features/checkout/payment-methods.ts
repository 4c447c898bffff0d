import {
  PaymentError,
  type PaymentMethod,
  type PaymentMethodLimits,
  type Payments,
  type PaymentsPort,
} from '#gateways/payments/port.ts';

type ProvidersByMethod = Record<PaymentMethod, PaymentsPort | null>;

/** The provider of each payment method for a total in cents; null where none is configured. */
export const providersByMethod = (payments: Payments, totalCents?: number): ProvidersByMethod => ({
  card: providerOf(payments, 'card', totalCents),
  crypto: providerOf(payments, 'crypto', totalCents),
});

export const limitsOf = ({
  card,
  crypto,
}: ProvidersByMethod): Record<PaymentMethod, PaymentMethodLimits | null> => ({
  card: card?.limits ?? null,
  crypto: crypto?.limits ?? null,
});

function providerOf(payments: Payments, method: PaymentMethod, totalCents?: number): PaymentsPort | null {
  try {
    return payments.forMethod(method, totalCents);
  } catch (error) {
    if (error instanceof PaymentError && error.code === 'unavailable') return null;
    throw error;
  }
}

/** Whether real money moves ('live'); otherwise the provider's test mode or our own sandbox. */
export const modeOf = (port: PaymentsPort): 'live' | 'test' | 'sandbox' =>
  port.livemode ? 'live' : port.provider.startsWith('sandbox') ? 'sandbox' : 'test';
