import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Place } from '#gateways/geocoder/port.ts';
import type { Database } from '#platform/db/database.ts';
import { MINUTE } from '#platform/durations.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { type TestClock, testClock, testConfig, testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { findPlaces } from './commands/find-places.ts';
import { queuePlaces } from './queue-places.ts';

const HOUSE: Place = { latitude: 44.1, longitude: -122.9, precision: 'rooftop' };

await describeOnDatabase('places of imported listings', (open) => {
  let db: Database;
  let sellerId: string | null;
  let clock: TestClock;
  beforeAll(async () => {
    db = await open();
    sellerId = (await createUser(db, 'agent')).agentId;
  });
  beforeEach(async () => {
    clock = testClock();
    await db.q().deleteFrom('listing_places').execute();
  });
  afterAll(() => db.close());

  const ctx = () =>
    testContext(db, {
      actor: { kind: 'system', name: 'jobs' },
      config: { ...testConfig, geocoderUrl: 'http://127.0.0.1:9' },
      now: clock.now,
    });
  /** Looks up what is due; `meanwhile` happens while the geocoder is asked. */
  const find = (place: Place | null, meanwhile: (address: string) => Promise<unknown> = async () => {}) =>
    findPlaces({
      ...ctx(),
      geocoder: {
        async locate(address) {
          await meanwhile(address);
          return place;
        },
      },
    });
  async function imported(facts: Parameters<typeof createListing>[2] = {}): Promise<string> {
    const id = await createListing(db, sellerId, {
      address: '27 Heron Way',
      city: 'Cedar Hollow',
      state: 'OR',
      zip: '97031',
      latitude: null,
      longitude: null,
      location_precision: null,
      ...facts,
    });
    await queuePlaces(ctx(), { propertyIds: [id] });
    return id;
  }
  const placeOf = (id: string) =>
    db
      .q()
      .selectFrom('properties')
      .select(['latitude', 'longitude', 'location_precision as precision'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
  const statusOf = async (id: string) =>
    (
      await db
        .q()
        .selectFrom('listing_places')
        .select('status')
        .where('property_id', '=', id)
        .executeTakeFirst()
    )?.status;
  const change = (id: string, set: object) =>
    db.q().updateTable('properties').set(set).where('id', '=', id).execute();

  it('are the centers of their ZIP codes until the building is found, which is on record', async () => {
    const id = await imported();
    expect((await placeOf(id)).precision).toBe('zip');
    const asked: string[] = [];
    expect(await find(HOUSE, async (address) => asked.push(address))).toBe(1);
    expect(asked).toEqual(['27 Heron Way, Cedar Hollow, OR 97031']);
    expect(await placeOf(id)).toEqual(HOUSE);
    expect(await statusOf(id)).toBe('found');
    const record = await db
      .q()
      .selectFrom('audit_log')
      .select(['action', 'after', 'actor_role'])
      .where('entity', '=', 'listing_place')
      .where('entity_id', '=', id)
      .execute();
    expect(record).toEqual([
      { action: 'listings.place', after: { placed: [id] }, actor_role: 'system:jobs' },
    ]);
    expect(await find(HOUSE)).toBe(0);
  });

  it('stay as they are where nothing closer is known', async () => {
    const [known, unknown] = [await imported(), await imported({ zip: '' })];
    const before = await placeOf(known);
    expect(await find(null)).toBe(2);
    expect(await placeOf(known)).toEqual(before);
    expect(await statusOf(known)).toBe('found');
    expect((await placeOf(unknown)).latitude).toBe(null);
    expect(await statusOf(unknown)).toBe('unknown');
    const { latitude, longitude } = HOUSE;
    const again = await imported();
    await find({ latitude, longitude, precision: 'zip' });
    expect(await placeOf(again)).toEqual(before);
  });

  it('do not overwrite what was set, changed or deleted meanwhile', async () => {
    const pin = { latitude: 45, longitude: -121, location_precision: 'pin' };
    const set = await imported();
    await find(HOUSE, () => change(set, pin));
    expect(await placeOf(set)).toEqual({ latitude: 45, longitude: -121, precision: 'pin' });
    const moved = await imported();
    const before = await placeOf(moved);
    await find(HOUSE, () => change(moved, { address: '28 Heron Way' }));
    expect(await placeOf(moved)).toEqual(before);
    const deleted = await imported();
    await find(HOUSE, () => change(deleted, { deleted_at: clock.now() }));
    expect(await placeOf(deleted)).toEqual(before);
  });

  it('are not looked up for a listing that was deleted before', async () => {
    const id = await imported({ deleted_at: clock.now() });
    expect([await statusOf(id), (await placeOf(id)).precision]).toEqual([undefined, null]);
  });

  it('are looked up again two minutes after a process died, five times', async () => {
    const id = await imported();
    const killed = () => find(HOUSE, () => Promise.reject(new Error('killed')));
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      await expect(killed()).rejects.toThrow('killed');
      expect(await find(HOUSE)).toBe(0);
      clock.advance(2 * MINUTE);
    }
    expect(await statusOf(id)).toBe('waiting');
    expect(await find(HOUSE)).toBe(0);
    expect(await statusOf(id)).toBe('unknown');
  });
});
