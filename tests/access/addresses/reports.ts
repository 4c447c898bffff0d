import type { Addresses } from '../support/address.ts';
import { sameOriginForm } from '../support/test-app.ts';

export const addresses: Addresses = {
  '/admin/reports': {
    cells: `
                       anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin
      GET              302 login  403     403     403      403      403        200
      GET .data        202 login  403     403     403      403      403        200
      GET engagement   302 login  403     403     403      403      403        200
      POST weekly      302 login  403     403     403      403      403        302 here
      POST unknown     302 login  403     403     403      403      403        400
    `,
    to: { login: '/admin?next=*', here: '/admin/reports' },
    personal: true,
    async request({ row }) {
      if (row === 'GET engagement') return { path: '/admin/reports?tab=engagement&as=tables' };
      if (!row.startsWith('POST')) return {};
      return sameOriginForm(
        row === 'POST unknown' ? { intent: 'unknown' } : { intent: 'weekly-mail', wanted: 'no' },
      );
    },
  },
};
