import { expect } from 'vitest';
import { adminPaths } from '#routing/admin-paths.ts';
import type { Addresses } from '../support/address.ts';
import { payableSale } from '../support/payouts.ts';
import { asJson } from '../support/test-app.ts';

export const addresses: Addresses = {
  '/api/waiting-work': {
    cells: `
           anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin
      GET  401        403     403     403      403      403        200
    `,
    verify({ text }, { actor }) {
      expect(text.includes('"approvals":'), actor).toBe(actor === 'admin');
    },
  },

  '/api/pending-sum': {
    cells: `
           anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin
      GET  401        403     403     403      403      403        200
    `,
    verify({ text }, { actor }) {
      expect(text.includes('"cents":'), actor).toBe(actor === 'admin');
    },
  },

  '/api/still-pending': {
    cells: `
                    anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin
      GET           405        405     405     405      405      405        405
      POST          401        403     403     403      403      403        200
      POST nothing  400        400     400     400      400      400        400
    `,
    async request({ row, app }) {
      if (row === 'GET') return {};
      return asJson(row === 'POST' ? { sales: [await payableSale(app.scenario)] } : {});
    },
    verify({ text, status }, { actor, row }) {
      if (row === 'POST') expect(text.includes('"amountCents":'), actor).toBe(actor === 'admin');
      if (status === 400) expect(text).toContain('These are no sales');
    },
  },

  '/api/office-search': {
    cells: `
           anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin
      GET  401        403     403     403      403      403        200
    `,
    request: async ({ app }) => ({ path: adminPaths.search(app.scenario.cast.buyerB.email) }),
    verify({ text }, { actor }) {
      expect(text.includes('"kind":"buyer"'), actor).toBe(actor === 'admin');
    },
  },
};
