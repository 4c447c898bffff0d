import { queryString, segment } from './paths.ts';

/** The URLs of buying and of what comes after it, apart from `paths`, which all public pages load. */
export const purchasePaths = {
  buyerSale: (id: string) => `/buyer/sales/${segment(id)}`,
  receipt: (id: string) => `/receipt/${segment(id)}`,
  /** leads to the address of the file, which is signed and expires */
  receiptPdf: (id: string) => `/receipt/${segment(id)}/pdf`,
  begin: (propertyId: string) => `/property/${segment(propertyId)}/purchase`,
  /** the property's page, which asks whether to pay by this method: after signing in, or when the price has changed */
  confirmation: (propertyId: string, method: string) =>
    `/property/${segment(propertyId)}${queryString({ purchase: method })}`,
  /** where the provider's page returns to when the buyer gives up; the page then closes that checkout */
  left: (propertyId: string, saleId: string) =>
    `/property/${segment(propertyId)}${queryString({ left: saleId })}`,
  sandboxCheckout: (ref: string) => `/sandbox/checkout/${segment(ref)}`,
  createCardPayment: () => '/api/payments/create-card-payment',
  createCryptoPayment: () => '/api/payments/create-coinbase-payment',
  /** alias of `createCryptoPayment` that the payment diagnostics probe */
  cryptoPaymentCheck: () => '/api/payments/create-crypto-payment',
  stripeConfig: () => '/api/stripe-config',
  diagnostics: () => '/api/payment-diagnostics',
} as const;
