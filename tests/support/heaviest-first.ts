import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, the longest first, as `npm test` lists them at its end. */
const HEAVIEST = [
  'tests/access/matrix.test.ts',
  'tests/access/sales-matrix.test.ts',
  'tests/access/routes.test.ts',
  'tests/process/embedded.test.ts',
  'tests/promises/crash-points/crash-points.test.ts',
  'tests/promises/restore/restore.test.ts',
  'features/search/full-scan-comparison.db.test.ts',
  'tests/process/import.test.ts',
  'tests/process/import-in-browser.test.ts',
  'platform/jobs/jobs.test.ts',
  'tests/access/fuzz.test.ts',
  'tests/access/abuse.test.ts',
  'tests/process/behind-haproxy.test.ts',
  'tests/process/rolling-restart.test.ts',
  'tests/process/database-move.test.ts',
  'tests/promises/message-order/message-order.test.ts',
  'gateways/images/process-image.test.ts',
  'tests/promises/money-back/money-back.test.ts',
  'platform/outbox/outbox.test.ts',
  'tests/promises/books/books.test.ts',
  'tests/promises/books/random-commands.test.ts',
  'features/saved-searches/matching.db.test.ts',
  'gateways/payments/stripe/faults.test.ts',
  'platform/events/stream.test.ts',
  'platform/events/hub.test.ts',
  'features/accounts/commands/sessions.db.test.ts',
  'features/accounts/commands/sign-in.db.test.ts',
  'tests/promises/limits.test.ts',
  'features/accounts/commands/reset-password.db.test.ts',
  'features/ledger/ledger.db.test.ts',
];

/** Starts the heaviest files first, so that none of them runs alone at the end. */
export class HeaviestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = HEAVIEST.findIndex((file) => moduleId.endsWith(`/${file}`));
      return at < 0 ? HEAVIEST.length : at;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}
