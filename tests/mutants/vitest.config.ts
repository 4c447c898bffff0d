import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const { mutate } = JSON.parse(readFileSync(join(import.meta.dirname, 'stryker.config.json'), 'utf8')) as {
  mutate: string[];
};

// The unit tests of the pure money code: fast, without a database.
export default defineConfig({
  test: {
    include: [
      'features/{commission,fees,ledger,payments,payout-runs,payouts,reconciliation,sales}/*.test.ts',
      'gateways/payments/refund-parts.test.ts',
      'platform/money.test.ts',
      'tests/promises/message-order/every-order.test.ts',
    ],
    exclude: ['**/*.db.test.ts', '**/money-docs.test.ts'],
    testTimeout: 30_000,
    // With `--coverage`: of the code that is mutated.
    coverage: {
      provider: 'v8',
      reporter: ['text'],
      include: mutate.filter((pattern) => !pattern.startsWith('!')),
      exclude: ['**/*.test.ts'],
      thresholds: { branches: 100 },
    },
  },
});
