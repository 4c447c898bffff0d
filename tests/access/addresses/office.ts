import { expect } from 'vitest';
import { adminPaths } from '#routing/admin-paths.ts';
import type { Addresses } from '../support/address.ts';

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
