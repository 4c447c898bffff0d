import { expect } from 'vitest';
import type { Addresses } from '../support/address.ts';
import { sameOriginForm } from '../support/test-app.ts';

const columns = 'anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin';
const heading = (text: string) => `>${text}</h1>`;

export const addresses: Addresses = {
  '/admin/property-types': {
    cells: `
      ${columns}
      GET           302 login  403  403  403  403  403  200
      GET .data     202 login  403  403  403  403  403  200
      POST no name  302 login  403  403  403  403  403  422
      POST nothing  302 login  403  403  403  403  403  400
    `,
    to: { login: '/admin?next=%2Fadmin%2Fproperty-types' },
    secret: ({ row }) => (row === 'GET' ? heading('Property Types') : 'Vacant Lot'),
    request: async ({ row }) =>
      row.startsWith('POST') ? sameOriginForm(row === 'POST nothing' ? {} : { intent: 'save' }) : {},
    verify({ status, text }) {
      if (status === 422) expect(text).toContain('Property type name cannot be empty');
    },
  },
};
