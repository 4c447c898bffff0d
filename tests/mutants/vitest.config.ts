import { defineConfig } from 'vitest/config';

// The tests of the pure money code: quick, and without a database.
export default defineConfig({
  test: {
    include: ['features/{fees,ledger,purchases}/*.test.ts'],
    exclude: ['**/*.db.test.ts', '**/money-page.test.ts'],
  },
});
