import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Grant } from '#features/api-keys/model.ts';
import type { Database } from '#platform/db/database.ts';
import { AppError, NotFound } from '#platform/errors.ts';
import { seededRandom } from '#tests/access/fuzz/hostile-input.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createActors, createUser } from '#tests/support/fixtures/users.ts';
import { hostileRequest } from '#tests/support/reso/hostile-odata.ts';
import { ODataError } from './model.ts';
import { type ResoPage, resoCount, resoMetadata, resoPage, resoRecord } from './reads.ts';

// `ODATA=100000 npm test -- unit features/reso/reso.db.test.ts` asks that many hostile requests.
const HOSTILE = Number(process.env.ODATA ?? 2_000);
const SEED = 20_261_123;

const market: Grant = {
  keyId: '00000000-0000-4000-8000-000000000001',
  scopes: ['listings', 'media', 'members'],
  agentId: null,
};

await describeOnDatabase('the RESO Web API', (open) => {
  let db: Database;
  let sellers: { a: string; b: string };
  const ids: Record<string, string> = {};
  const ctx = () => testContext(db);

  beforeAll(async () => {
    db = await open();
    const { sellerA, sellerB } = await createActors(db);
    sellers = { a: sellerA.agentId ?? '', b: sellerB.agentId ?? '' };
    const add = async (name: string, agentId: string, facts: Parameters<typeof createListing>[2]) => {
      ids[name] = await createListing(db, agentId, { address: `${name} Lane`, ...facts });
    };
    await add('Active 1', sellers.a, {
      price_cents: 300_000_00,
      city: 'Bend',
      bedrooms: 2,
      listed_at: new Date('2025-03-09T20:00:00Z'),
    });
    await add('Active 2', sellers.b, {
      price_cents: 300_000_00,
      city: 'Salem',
      bedrooms: null,
      half_baths: 1,
    });
    await add('Active 3', sellers.a, {
      price_cents: 900_000_55,
      city: 'Bend',
      bedrooms: 5,
      neighborhood: "O'Hara Hill",
    });
    await add('Under contract', sellers.a, { status: 'escrow' });
    await add('Gone', sellers.b, { status: 'Sold', type_id: 1 });
    await add('Taken back', sellers.b, { status: 'withdrawn', type_id: 3, listed_at: new Date() });
    await add('Waiting', sellers.a, { status: 'pending' });
    await add('Sent back', sellers.a, { status: 'changes_requested' });
    await add('Deleted', sellers.a, { deleted_at: new Date() });
    const amenity = await db
      .q()
      .insertInto('amenities')
      .values({ name: 'Swimming test pool' })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db
      .q()
      .insertInto('property_amenities')
      .values({ property_id: ids['Active 3'] ?? '', amenity_id: amenity.id })
      .execute();
    for (const position of [0, 1]) {
      const image = await db
        .q()
        .insertInto('stored_images')
        .values({
          width: 1600,
          height: 1200,
          widths: [320, 640, 1280, 1600],
          placeholder: '',
          sha256: 'x',
          byte_size: 5,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      await db
        .q()
        .insertInto('property_images')
        .values({ property_id: ids['Active 1'] ?? '', image_id: image.id, position, is_main: position === 0 })
        .execute();
    }
  });
  afterAll(() => db.close());

  const page = (query: string, grant = market, prefer: string | null = null): Promise<ResoPage> =>
    resoPage(ctx(), grant, { resource: 'Property', params: new URLSearchParams(query), prefer });
  const filtered = async (filter: string, grant = market) =>
    (
      await page(new URLSearchParams({ $filter: filter, $select: 'UnparsedAddress' }).toString(), grant)
    ).records
      .map(({ UnparsedAddress }) => String(UnparsedAddress).replace(' Lane', ''))
      .sort();
  const refused = (query: string) =>
    page(query).then(
      () => null,
      (error: unknown) => error,
    );

  it('shows the market to an administrator’s key and a seller’s own listings to a seller’s, never one that waits', async () => {
    expect(await filtered('ListPrice gt 0')).toEqual([
      'Active 1',
      'Active 2',
      'Active 3',
      'Gone',
      'Taken back',
      'Under contract',
    ]);
    expect(await filtered('ListPrice gt 0', { ...market, agentId: sellers.b })).toEqual([
      'Active 2',
      'Gone',
      'Taken back',
    ]);
    const hidden = { resource: 'Property', params: new URLSearchParams() };
    for (const name of ['Waiting', 'Sent back', 'Deleted'])
      await expect(resoRecord(ctx(), market, { ...hidden, key: ids[name] ?? '' })).rejects.toMatchObject({
        status: 404,
      });
    await expect(
      resoRecord(ctx(), { ...market, agentId: sellers.b }, { ...hidden, key: ids['Active 1'] ?? '' }),
    ).rejects.toMatchObject({ status: 404 });
  });

  it('reads with a key nothing but what the key is for, and describes itself as JSON or XML', async () => {
    const request = { resource: 'Property', params: new URLSearchParams(), prefer: null };
    await expect(page('')).resolves.toMatchObject({ records: expect.any(Array) });
    await expect(resoCount(ctx(), market, request)).resolves.toBeGreaterThan(0);
    const photosAlone: Grant = { ...market, scopes: ['media'] };
    const error = { status: 403, message: 'This API key does not have the scope listings' };
    await expect(page('', photosAlone)).rejects.toMatchObject(error);
    await expect(resoCount(ctx(), photosAlone, request)).rejects.toMatchObject(error);
    await expect(
      resoRecord(ctx(), photosAlone, { ...request, key: ids['Active 1'] ?? '' }),
    ).rejects.toMatchObject(error);
    const metadata = (query: string, accept = '') =>
      resoMetadata(ctx(), { params: new URLSearchParams(query), accept });
    expect(await metadata('$format=json')).toMatchObject({ type: 'json' });
    expect(await metadata('', 'application/json')).toMatchObject({ type: 'json' });
    expect(await metadata('$format=application/xml', 'application/json')).toMatchObject({ type: 'xml' });
    await expect(metadata('$format=atom')).rejects.toMatchObject({
      code: 'InvalidOption',
      message: '$format must be json or xml',
    });
  });

  it('finds a record by the key of its resource, and by no other that is named', async () => {
    const byKey = (keyName: string) =>
      resoRecord(ctx(), market, {
        resource: 'Property',
        params: new URLSearchParams('$select=ListingKey'),
        key: ids['Active 1'] ?? '',
        keyName,
      });
    await expect(byKey('ListingKey')).resolves.toMatchObject({ ListingKey: ids['Active 1'] });
    await expect(byKey('MemberKey')).rejects.toThrow(new NotFound('The key of Property is ListingKey'));
  });

  it('maps statuses and types as agreed', async () => {
    const { records } = await page('$select=UnparsedAddress,StandardStatus,PropertyType,PropertySubType');
    const of = (name: string) => records.find(({ UnparsedAddress }) => UnparsedAddress === `${name} Lane`);
    expect(of('Active 1')).toMatchObject({
      StandardStatus: 'Active',
      PropertyType: 'Residential',
      PropertySubType: 'SingleFamilyResidence',
    });
    expect(of('Under contract')).toMatchObject({ StandardStatus: 'Pending' });
    expect(of('Gone')).toMatchObject({
      StandardStatus: 'Closed',
      PropertyType: 'Land',
      PropertySubType: null,
    });
    expect(of('Taken back')).toMatchObject({
      StandardStatus: 'Withdrawn',
      PropertyType: 'ResidentialIncome',
    });
  });

  it('maps every type of ours, the ones that imports bring too', async () => {
    const { agentId } = await createUser(db, 'agent');
    const types = await db.q().selectFrom('property_types').select(['id', 'name']).orderBy('id').execute();
    const added: string[] = [];
    for (const { id, name } of types)
      added.push(await createListing(db, agentId ?? '', { address: name, type_id: id }));
    const select = '$select=UnparsedAddress,PropertyType,PropertySubType';
    const { records } = await page(select, { ...market, agentId });
    const mapped = records.map(({ UnparsedAddress, PropertyType, PropertySubType }) => [
      UnparsedAddress,
      [PropertyType, PropertySubType],
    ]);
    expect(Object.fromEntries(mapped)).toEqual({
      'Vacant Lot': ['Land', null],
      'Single Family': ['Residential', 'SingleFamilyResidence'],
      'Multi-Family': ['ResidentialIncome', null],
      Commercial: ['CommercialSale', null],
      'Condo/Co-op': ['Residential', 'Condominium'],
      Townhouse: ['Residential', 'Townhouse'],
      'Mobile/Manufactured': ['Residential', 'ManufacturedHome'],
    });
    await db.q().updateTable('properties').set({ deleted_at: new Date() }).where('id', 'in', added).execute();
  });

  it.each<[string, string[]]>([
    ["StandardStatus eq 'Active'", ['Active 1', 'Active 2', 'Active 3']],
    ["StandardStatus ne 'Active'", ['Gone', 'Taken back', 'Under contract']],
    ["StandardStatus eq 'Incomplete'", []],
    ["StandardStatus in ('Closed','Withdrawn')", ['Gone', 'Taken back']],
    ['ListPrice eq 900000.55', ['Active 3']],
    ['900000 lt ListPrice', ['Active 3']],
    ['ListPrice eq 900000.551', []],
    ["City eq 'Bend' and not (BedroomsTotal gt 2)", ['Active 1']],
    ['BedroomsTotal eq null', ['Active 2']],
    ['not (BedroomsTotal gt 3)', ['Active 1', 'Active 2']],
    ['BedroomsTotal ne null and BedroomsTotal le 2', ['Active 1']],
    ["SubdivisionName eq 'O''Hara Hill'", ['Active 3']],
    ["contains(tolower(SubdivisionName),'hara')", ['Active 3']],
    ["startswith(UnparsedAddress,'Active') and endswith(UnparsedAddress,'3 Lane')", ['Active 3']],
    [
      'year(OnMarketTimestamp) eq 2025 and month(OnMarketTimestamp) eq 3 and day(OnMarketTimestamp) eq 9',
      ['Active 1'],
    ],
    ['ListingContractDate eq 2025-03-09', ['Active 1']],
    [
      'OnMarketTimestamp ge 2025-03-09T13:00:00-07:00 and OnMarketTimestamp lt 2025-03-09T20:00:01Z',
      ['Active 1'],
    ],
    ["Amenities/any(a: a eq 'Swimming test pool')", ['Active 3']],
    ["not Amenities/any() and City eq 'Bend'", ['Active 1']],
    ['Media/any(m: m/PreferredPhotoYN)', ['Active 1']],
    ['BathroomsTotalInteger gt BathroomsFull and BathroomsHalf eq 1', ['Active 2']],
    ["length(City) eq 5 and toupper(City) eq 'SALEM'", ['Active 2']],
    [
      "PropertyType eq 'Land' or (PropertySubType eq null and StandardStatus eq 'Withdrawn')",
      ['Gone', 'Taken back'],
    ],
    ["ListingKey eq 'no key'", []],
  ])('filters: %s', async (filter, expected) => {
    expect(await filtered(filter)).toEqual(expected);
  });

  it('reads all pages in any order without gap or repetition, whatever is null', async () => {
    for (const order of [
      '',
      'BedroomsTotal',
      'BedroomsTotal desc,ListPrice',
      'ListPrice desc,City asc',
      'SubdivisionName desc',
      'DaysOnMarket,ListingKey',
    ]) {
      const seen: unknown[] = [];
      let query = new URLSearchParams({
        ...(order && { $orderby: order }),
        $select: 'ListingKey,BedroomsTotal',
      }).toString();
      for (let pages = 0; query && pages < 10; pages++) {
        const { records, next } = await page(query, market, 'odata.maxpagesize=2');
        expect(records.length).toBeLessThanOrEqual(2);
        seen.push(...records.map(({ ListingKey }) => ListingKey));
        query = next ?? '';
      }
      expect([order, seen.length, new Set(seen).size]).toEqual([order, 6, 6]);
    }
    const beds = (await page('$orderby=BedroomsTotal&$select=BedroomsTotal')).records.map(
      ({ BedroomsTotal }) => BedroomsTotal,
    );
    expect([beds[0], beds[1]]).toEqual([null, 2]);
  });

  it('counts, skips and stops at $top over several pages', async () => {
    const first = await page('$top=3&$skip=1&$count=true&$orderby=ListingKey', market, 'maxpagesize=2');
    expect([first.records.length, first.count]).toEqual([2, 6]);
    const second = await page(first.next ?? '', market, 'maxpagesize=2');
    expect([second.records.length, second.next]).toEqual([1, null]);
    expect(await page('$top=0&$count=true')).toEqual({ records: [], count: 6, next: null });
    const request = {
      resource: 'Property',
      params: new URLSearchParams("$filter=City eq 'Bend'"),
      prefer: null,
    };
    expect(await resoCount(ctx(), market, request)).toBe(2);
  });

  it('replicates by ModificationTimestamp to the microsecond', async () => {
    const { records } = await page('$orderby=ModificationTimestamp&$select=ModificationTimestamp');
    const last = String(records.at(-1)?.ModificationTimestamp);
    expect(last).toMatch(/T\d\d:\d\d:\d\d\.\d{6}Z$/);
    expect(await filtered(`ModificationTimestamp gt ${last}`)).toEqual([]);
    await db
      .q()
      .updateTable('properties')
      .set({ price_cents: 1_000_00 })
      .where('id', '=', ids.Gone ?? '')
      .execute();
    expect(await filtered(`ModificationTimestamp gt ${last}`)).toEqual(['Gone']);
  });

  it('expands photos, the main one first, and reads them by themselves', async () => {
    const params = new URLSearchParams('$expand=Media($select=Order,MediaURL)&$select=ListPrice');
    const record = await resoRecord(ctx(), market, {
      resource: 'Property',
      params,
      key: ids['Active 1'] ?? '',
    });
    expect(record).toMatchObject({
      ListPrice: 300_000,
      Media: [
        { Order: 0, MediaURL: expect.stringMatching(/^http:.*\/media\/images\/[\w-]{36}\/1600\.webp$/) },
        { Order: 1 },
      ],
    });
    const own = { resource: 'Media', params: new URLSearchParams(), prefer: null };
    expect((await resoPage(ctx(), market, own)).records).toHaveLength(2);
    expect((await resoPage(ctx(), { ...market, agentId: sellers.b }, own)).records).toEqual([]);
    await expect(page('$expand=Media', { ...market, scopes: ['listings'] })).rejects.toMatchObject({
      status: 403,
    });
  });

  it('names sellers without their addresses, to a seller only that seller', async () => {
    const request = { resource: 'Member', params: new URLSearchParams(), prefer: null };
    const all = (await resoPage(ctx(), market, request)).records;
    expect(all.length).toBeGreaterThan(1);
    expect(JSON.stringify(all)).not.toContain('@');
    const own = (await resoPage(ctx(), { ...market, agentId: sellers.a }, request)).records;
    expect(own.map(({ MemberKey }) => MemberKey)).toEqual([sellers.a]);
    const office = await resoPage(ctx(), market, { ...request, resource: 'Office' });
    expect(office.records).toMatchObject([{ OfficeKey: 'marketplace', OfficeStatus: 'Active' }]);
  });

  it('refuses what it does not know, and links that were made up or belong to another request', async () => {
    const { next } = await page('$filter=ListPrice gt 1', market, 'maxpagesize=1');
    const token = new URLSearchParams(next ?? '').get('$skiptoken') ?? '';
    const wrong = [
      '$filter=Nope eq 1',
      '$filter=City',
      '$filter=City eq 1',
      '$filter=City eq',
      "$filter=City eq 'a",
      '$filter=foo(City)',
      '$filter=City/any(a: a eq 1)',
      '$filter=Amenities eq 1',
      '$filter=ListPrice add 1 gt 2',
      '$filter=ListingContractDate eq 2025-02-30',
      '$select=Nope',
      '$orderby=Nope',
      '$orderby=City up',
      '$orderby=City,City',
      '$top=-1',
      '$skip=10001',
      '$count=yes',
      '$expand=Office',
      '$apply=x',
      '$top=1&top=2',
      `$skiptoken=${token}`,
      `$filter=ListPrice gt 1&$skiptoken=${token.slice(1)}`,
      '$skiptoken=x.y',
      `$filter=${'('.repeat(60)}`,
      `$filter=${'not '.repeat(60)}true`,
      `$filter=${"City eq 'a' or ".repeat(300)}false`,
      "$filter=MediaURL eq 'a'",
    ];
    for (const query of wrong) expect([query, await refused(query)]).toEqual([query, expect.any(ODataError)]);
    expect(
      (await page(`$filter=ListPrice gt 1&$skiptoken=${encodeURIComponent(token)}`)).records,
    ).toHaveLength(5);
  });

  it(
    `answers or refuses ${HOSTILE} hostile requests, and never fails`,
    async () => {
      const faults: string[] = [];
      let answered = 0;
      for (let n = 0; n < HOSTILE; n++) {
        const request = hostileRequest(seededRandom(SEED, n));
        try {
          const { records } = await resoPage(ctx(), market, request);
          answered += 1;
          if (records.length > 200) faults.push(`${n}: ${records.length} records`);
        } catch (error) {
          if (!(error instanceof AppError))
            faults.push(`${n}: ${request.resource}?${request.params}: ${String(error)}`);
        }
      }
      expect(faults).toEqual([]);
      expect(answered).toBeGreaterThan(HOSTILE * 0.3);
    },
    120_000 + HOSTILE * 30,
  );
});
