import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testClock, testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { countMarket } from './commands/count-market.ts';
import { searchReport } from './reads.ts';

const march = { from: '2026-03-01', to: '2026-03-31', zone: 'UTC', grouping: 'monthly' } as const;

await describeOnDatabase('the demand for places', (open) => {
  let db: Database;
  const clock = testClock('2026-03-31T12:00:00Z');
  beforeAll(async () => {
    db = await open();
    const { agentId } = await createUser(db, 'agent');
    const places = [
      { city: 'Portland', state: 'OR', neighborhood: 'Alberta Arts', zip: '97211' },
      { city: 'Portland', state: 'OR', neighborhood: 'Alberta Arts', zip: '97211' },
      { city: 'Salem', state: 'Oregon', neighborhood: null, zip: '97301' },
      { city: 'Bend', state: 'OR', neighborhood: 'Old Bend', zip: '97701' },
      { city: 'New York', state: 'NY', neighborhood: 'Bend', zip: '10001' },
      { city: 'Albany', state: 'NY', neighborhood: null, zip: '12201' },
      { city: 'Washington', state: 'DC', neighborhood: null, zip: '20001' },
      { city: 'Spokane', state: 'WA', neighborhood: null, zip: '99201' },
    ];
    for (const place of places) await createListing(db, agentId ?? '', place);
    await countMarket(testContext(db, { actor: { kind: 'system', name: 'test' }, now: clock.now }));
  });
  afterAll(() => db.close());

  it.each([
    ['alberta arts', [['Alberta Arts, Portland, OR', 2]]],
    ['Oregon', [['Oregon', 4]]],
    ['or', [['Oregon', 4]]],
    ['bend', [['Bend, OR', 1]]],
    ['new york', [['New York, NY', 1]]],
    [
      'washington',
      [
        ['Washington', 1],
        ['Washington, DC', 1],
      ],
    ],
    ['97701', [['97701', 1]]],
    ['texas', []],
    ['cottage', []],
  ] as const)("'%s' asks for %j", async (words, places) => {
    await sql`delete from report_events`.execute(db.q());
    await sql`insert into search_events (query, results, created_at) values (${words}, 1, ${clock.now()}), (${words}, 1, ${clock.now()})`.execute(
      db.q(),
    );
    const admin = testContext(db, { actor: await createUser(db, 'admin'), now: clock.now });
    const { demand } = await searchReport(admin, march);
    expect(
      demand.flatMap(({ kind, label, searches, listings }) =>
        kind === 'place' ? [[label, searches, listings]] : [],
      ),
    ).toEqual(places.map(([label, listings]) => [label, 2, listings]));
  });
});
