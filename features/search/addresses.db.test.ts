import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Ctx } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { searchListings, suggest } from './reads.ts';
import { parseCriteria } from './rules.ts';

const listings = {
  smith: { address: '1208 N Smith St', city: 'Boise', state: 'ID', zip: '83702' },
  northeast: { address: '77 Northeast Alder Avenue', city: 'Portland', state: 'OR', zip: '97211' },
  unit: { address: '310 Harbor Blvd #12', city: 'San Diego', state: 'CA', zip: '92101' },
  apartment: { address: '55 Cliff Ter Apt 4', city: 'San Diego', state: 'CA', zip: '92103' },
  saint: { address: '9 St Charles Pkwy', city: 'St. Louis', state: 'MO', zip: '63101' },
  fort: { address: '400 Mount Hood Dr', city: 'Fort Worth', state: 'Texas', zip: '76102-1234' },
  second: { address: '18 Second Street', city: 'Troy', state: 'NY', zip: '12180' },
  ordinal: { address: '500 W 42nd St', city: 'New York', state: 'NY', zip: '10036' },
  range: { address: '9400-9408 Appleton Rd', city: 'Milwaukee', state: 'WI', zip: '53225' },
  short: { address: '1210–18 Kedzie Ave', city: 'Chicago', state: 'IL', zip: '60651' },
  plain: { address: '3 Lakeview Court', city: 'Boston', state: 'MA', zip: '02108' },
} as const;
type Name = keyof typeof listings;

await describeOnDatabase('addresses as people type them', (open) => {
  let db: Database;
  let ctx: Ctx;
  const names = new Map<string, string>();
  beforeAll(async () => {
    db = await open();
    ctx = testContext(db);
    const seller = await createUser(db, 'agent');
    for (const [name, place] of Object.entries(listings))
      names.set(await createListing(db, seller.agentId, { ...place, description: 'Quiet.' }), name);
  });
  afterAll(() => db.close());

  const found = async (q: string) => {
    const { rows, correctedTo } = await searchListings(ctx, parseCriteria(new URLSearchParams({ q }), []));
    return { names: rows.map(({ id }) => names.get(id)), correctedTo };
  };

  it.each<[string, Name]>([
    ['1208 n smith st', 'smith'],
    ['1208 North Smith Street', 'smith'],
    ['smith street 1208 boise', 'smith'],
    ['1208 N. Smith Str', 'smith'],
    ['1208 North Smith Street, Boise, Idaho 83702, USA', 'smith'],
    ['1208 North Smith Street, Boise, ID 83702-4411, United States', 'smith'],
    ['77 NE Alder Ave', 'northeast'],
    ['77 N.E. Alder Av', 'northeast'],
    ['77 North East Alder', 'northeast'],
    ['alder ave portland oregon', 'northeast'],
    ['310 Harbor Boulevard Unit 12', 'unit'],
    ['310 Harbor Blvd Apt 12', 'unit'],
    ['310 harbor bl 12', 'unit'],
    ['310 Harbor Blvd Suite 12', 'unit'],
    ['55 Cliff Terrace #4', 'apartment'],
    ['55 Cliff Terrace unit 4', 'apartment'],
    ['9 Saint Charles Parkway', 'saint'],
    ['9 St Charles Pkwy, Saint Louis Missouri', 'saint'],
    ['400 Mt Hood Drive, Ft Worth TX', 'fort'],
    ['400 mt hood 76102-9999', 'fort'],
    ['18 2nd St', 'second'],
    ['500 West Forty Second Street', 'ordinal'],
    ['500 w forty-second st', 'ordinal'],
    ['9404 Appleton Road', 'range'],
    ['9400 Appleton', 'range'],
    ['9400-9408 Appleton Rd', 'range'],
    ['1216 Kedzie', 'short'],
    ['3 Lakeview Ct', 'plain'],
    ['3 lakeview ct boston massachusetts', 'plain'],
  ])('%s', async (typed, name) => {
    expect(await found(typed)).toEqual({ names: [name], correctedTo: null });
  });

  it('a number beside a range is not in it', async () => {
    expect((await found('9409 Appleton Road')).names).toEqual([]);
    expect((await found('9399 Appleton Road')).names).toEqual([]);
  });

  it('% and _ are characters like others', async () => {
    expect((await found('1208 n sm%h')).names).toEqual([]);
    expect((await found('1208 n sm_th')).names).toEqual([]);
  });

  it.each([
    ['saint lou', 'St. Louis, MO'],
    ['st lou', 'St. Louis, MO'],
    ['ft wor', 'Fort Worth, Texas'],
    ['fort wor', 'Fort Worth, Texas'],
    ['1208 north smith stre', '1208 N Smith St, Boise, ID 83702'],
    ['310 harbor boulevard un', '310 Harbor Blvd #12, San Diego, CA 92101'],
    ['310 harbor blvd san di', '310 Harbor Blvd #12, San Diego, CA 92101'],
    ['harbor boulevard, san diego, ca 92101', '310 Harbor Blvd #12, San Diego, CA 92101'],
    ['lakeview court massachusetts', '3 Lakeview Court, Boston, MA 02108'],
    ['1208 n smiht', '1208 N Smith St, Boise, ID 83702'],
    ['3 lakeveiw', '3 Lakeview Court, Boston, MA 02108'],
    ['3 lakve boston', '3 Lakeview Court, Boston, MA 02108'],
    ['milwakuee', 'Milwaukee, WI'],
    ['bostno', 'Boston, MA'],
    ['new yo', 'New York, NY'],
    ['new yo', 'New York'],
    ['wisconsin', 'Wisconsin'],
    ['wi', 'Wisconsin'],
    ['boston massachusetts', 'Boston, MA'],
    ['milwaukee, wisc', 'Milwaukee, WI'],
    ['New York New Yo', 'New York, NY'],
    ['92101-1234', '92101'],
    ['boston ma, USA', 'Boston, MA'],
  ])('%s suggests %s, once', async (typed, label) => {
    const labels = (await suggest(ctx, typed)).map((one) => one.label);
    expect(labels.filter((one) => one === label)).toEqual([label]);
  });

  it('a state that is suggested is searched for by its letters: its name may be that of a city', async () => {
    const [state] = (await suggest(ctx, 'new york')).filter(({ kind }) => kind === 'state');
    expect(state).toMatchObject({ label: 'New York', text: 'NY' });
  });

  it('suggestions of places say how many listings are there', async () => {
    const counts = async (typed: string) =>
      (await suggest(ctx, typed)).map((one) =>
        'count' in one ? [one.kind, one.label, one.count.total] : one.kind,
      );
    expect(await counts('san di')).toEqual([['city', 'San Diego, CA', 2]]);
    expect(await counts('9211')).toEqual([]);
    expect(await counts('9210')).toEqual([
      ['zip', '92101', 1],
      ['zip', '92103', 1],
    ]);
    expect(await counts('oregon')).toEqual([['state', 'Oregon', 1]]);
    expect(await counts('utah')).toEqual([]);
  });

  it('follow a change of the address', async () => {
    const [id = ''] = [...names].find(([, name]) => name === 'plain') ?? [];
    await db.q().updateTable('properties').set({ address: '3 Old Mill Hwy' }).where('id', '=', id).execute();
    expect((await found('3 lakeview ct')).names).toEqual([]);
    expect((await found('3 old mill highway')).names).toEqual(['plain']);
  });
});
