import type { Addresses } from '../support/address.ts';
import { sameForAll } from '../support/table-rows.ts';
import { sameOriginForm } from '../support/test-app.ts';

const questions: Record<string, string> = {
  'GET unknown number': 'ATP-999999',
  'GET .data unknown number': 'ATP-999999',
  'GET unknown file': '0'.repeat(64),
  'GET no question': "' or 1=1 --",
};

export const addresses: Addresses = {
  '/verify': {
    cells: sameForAll(
      ['GET', '200'],
      ['GET unknown number', '200'],
      ['GET .data unknown number', '200'],
      ['GET unknown file', '200'],
      ['GET no question', '400'],
      ['POST', '405'],
    ),
    request: async ({ row }) => {
      if (row === 'POST') return sameOriginForm({});
      const page = row.startsWith('GET .data') ? '/verify.data' : '/verify';
      const question = questions[row];
      return question === undefined ? {} : { path: `${page}?q=${encodeURIComponent(question)}` };
    },
    personal: true,
  },
};
