import { defineConfig } from 'vitest/config';

// The unit tests of the pure money code: fast, without a database.
export default defineConfig({
  test: {
    include: ['features/{fees,ledger,payments,reconciliation,sales}/*.test.ts'],
    exclude: ['**/*.db.test.ts', '**/money-docs.test.ts'],
  },
});
