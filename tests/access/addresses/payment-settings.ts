import type { Addresses } from '../support/address.ts';

export const addresses: Addresses = {
  '/admin/payment-settings': {
    cells: `
      anonymous     buyerA  buyerB  sellerA  sellerB  suspended  admin
      GET        302 login  403  403  403  403  403  200
      GET .data  202 login  403  403  403  403  403  200
    `,
    to: { login: '/admin?next=%2Fadmin%2Fpayment-settings' },
    secret: ({ row }) => (row === 'GET' ? '>Payment Settings</h1>' : 'COINBASE_KEY_ID'),
  },
};
