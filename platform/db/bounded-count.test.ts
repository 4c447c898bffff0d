import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { countText, lastPageOf } from '../counts.ts';
import { boundedCount } from './bounded-count.ts';

await describeOnDatabase('a bounded count', (open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
  });
  afterAll(() => db.close());

  it.each([
    [0, '0'],
    [1_234, '1,234'],
    [10_000, '10,000'],
    [10_001, '10,000+'],
    [20_000, '10,000+'],
  ])('of %d rows is shown as %s', async (rows, text) => {
    const counted = await boundedCount(testContext(db), sql`from generate_series(1, ${rows}::integer)`);
    expect(countText(counted)).toBe(text);
  });
});

describe('the last page', () => {
  it('is the one of the last counted row', () => {
    expect(lastPageOf({ count: 0, more: false }, 25)).toBe(1);
    expect(lastPageOf({ count: 25, more: false }, 25)).toBe(1);
    expect(lastPageOf({ count: 26, more: false }, 25)).toBe(2);
    expect(lastPageOf({ count: 10_000, more: true }, 25)).toBe(400);
  });
});
