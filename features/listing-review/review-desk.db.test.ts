import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { editListing } from '#features/listing-form/commands/edit-listing.ts';
import type { ListingForm } from '#features/listing-form/form.ts';
import { editForm } from '#features/listing-form/reads.ts';
import { withdrawListing } from '#features/listings/commands/withdraw-listing.ts';
import { ownListings } from '#features/listings/reads.ts';
import { zipCodeGeocoder } from '#gateways/geocoder/zip-code-geocoder.ts';
import type { Ctx, UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { Forbidden } from '#platform/errors.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { type TestClock, testClock, testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { approveListings } from './commands/approve-listings.ts';
import { type DecisionInput, decideListing } from './commands/decide-listing.ts';
import { reviewQueue, reviewSubject } from './reads.ts';
import { CHANGED_MEANWHILE } from './rules.ts';

await describeOnDatabase('the review desk', (open) => {
  let db: Database;
  let clock: TestClock;
  let [ruth, omar, seller] = [] as unknown as [UserActor, UserActor, UserActor];
  const as = (actor: UserActor): Ctx => testContext(db, { actor, now: clock.now });

  beforeAll(async () => {
    db = await open();
    clock = testClock();
    ruth = await createUser(db, 'admin');
    omar = await createUser(db, 'admin');
    seller = await createUser(db, 'agent');
    await db.q().updateTable('users').set({ name: 'Ruth Amsel' }).where('id', '=', ruth.id).execute();
  });
  afterAll(() => db.close());

  const waiting = (address: string, facts = {}) =>
    createListing(db, seller.agentId, {
      address,
      title: 'A house for sale',
      status: 'pending',
      created_at: clock.now(),
      ...facts,
    });
  const decide = async (id: string, decision: DecisionInput['decision'], more: Partial<DecisionInput> = {}) =>
    decideListing(as(ruth), {
      propertyId: id,
      decision,
      version: (await reviewSubject(as(ruth), { id })).version,
      ...(decision !== 'approve' && { reason: 'photos', message: 'Please add one of the kitchen.' }),
      ...more,
    });
  const mailsTo = async (actor: UserActor, about: string) => {
    const rows = await db
      .q()
      .selectFrom('mail_outbox')
      .select(['subject', 'text_body'])
      .where('to_address', '=', actor.email)
      .where('subject', 'like', `%${about}%`)
      .execute();
    return rows;
  };
  const queueIds = async () => (await reviewQueue(as(ruth), { page: 1 })).rows.map(({ id }) => id);

  it('has what waits, the latest first: new ones, and those changed since their approval', async () => {
    const first = await waiting('1 First Street');
    clock.advance(60_000);
    const second = await waiting('2 Second Street');
    await waiting('2 Deleted Street', { deleted_at: clock.now() });
    const untouched = await createListing(db, seller.agentId, { address: '3 Third Street' });
    const changed = await createListing(db, seller.agentId, {
      address: '4 Fourth Street',
      changed_since_approval_at: new Date(clock.now().getTime() - 30_000),
    });
    expect(await queueIds()).toEqual([second, changed, first]);
    const { rows } = await reviewQueue(as(ruth), { page: 1 });
    expect(rows.map((row) => row.changed)).toEqual([false, true, false]);
    expect(await queueIds()).not.toContain(untouched);
  });

  it('names all that waits, on whatever page, where all of it is selected', async () => {
    for (const address of ['5 Fifth Street', '6 Sixth Street']) await waiting(address);
    const { rows, allSelected } = await reviewQueue(as(ruth), { page: 1, size: 1, selectAll: true });
    expect(rows).toHaveLength(1);
    expect(allSelected?.map(({ propertyId }) => propertyId)).toEqual(await queueIds());
    const [first] = allSelected ?? [];
    expect(first?.version).toBe(rows[0]?.version);
    expect((await reviewQueue(as(ruth), { page: 1 })).allSelected).toBeNull();
  });

  it('an approved listing is for sale, and its seller notified', async () => {
    const id = await waiting('10 Approved Road');
    expect(await decide(id, 'approve')).toEqual({ ok: true, status: 'Active' });
    expect(await queueIds()).not.toContain(id);
    expect(await mailsTo(seller, '10 Approved Road')).toHaveLength(1);
  });

  describe('a listing that is sent back', () => {
    it.each([
      ['request_changes', 'changes_requested', 'Please change your listing of'],
      ['reject', 'rejected', 'was rejected'],
    ] as const)(
      '%s: its seller reads why, by email and in My Properties, and submits it again',
      async (decision, status, subject) => {
        const address = `20 ${status} Road`;
        const id = await waiting(address);
        expect(await decide(id, decision)).toEqual({ ok: true, status });
        const note = 'Photos are missing or unclear. Please add one of the kitchen.';
        const [mail, ...others] = await mailsTo(seller, address);
        expect(others).toEqual([]);
        expect(mail?.subject).toContain(subject);
        expect(mail?.text_body).toContain(note);
        const own = async () => (await ownListings(as(seller), { q: address })).rows[0];
        expect(await own()).toMatchObject({ status, note });

        clock.advance(1000);
        const again = await edit(id, { price: '500000' }, true);
        expect(again).toEqual({ ok: true, status: 'pending' });
        expect((await queueIds())[0]).toBe(id);
        expect(await reviewSubject(as(ruth), { id })).toMatchObject({ waiting: true, earlierReviews: 1 });
        expect(await decide(id, 'approve')).toEqual({ ok: true, status: 'Active' });
        expect(await own()).toMatchObject({ status: 'Active', note: null });
      },
    );

    it.each([
      [{ reason: '', message: 'Words' }, { reason: 'Please choose a reason.' }],
      [{ reason: 'made up', message: 'Words' }, { reason: 'Please choose a reason.' }],
      [{ reason: 'price', message: ' \n ' }, { message: 'Please write what the seller has to do.' }],
      [
        { reason: 'price', message: 'x'.repeat(1001) },
        { message: 'The message can have at most 1000 characters.' },
      ],
    ])('needs a reason and words: %j', async (typed, errors) => {
      const id = await waiting(`21 Reason Road, ${randomUUID()}`);
      expect(await decide(id, 'reject', typed)).toEqual({ ok: false, reason: 'invalid', errors });
      expect((await reviewSubject(as(ruth), { id })).waiting).toBe(true);
    });
  });

  it('what its seller has changed since it was opened is not decided', async () => {
    const id = await waiting('30 Moving Street');
    const { version } = await reviewSubject(as(ruth), { id });
    await db.q().updateTable('properties').set({ price_cents: 1 }).where('id', '=', id).execute();
    expect(await decide(id, 'approve', { version })).toEqual({
      ok: false,
      reason: 'changed',
      why: CHANGED_MEANWHILE,
    });
    expect(await decide(id, 'approve')).toEqual({ ok: true, status: 'Active' });
  });

  it('the second of two administrators reads who was first', async () => {
    const id = await waiting('31 Contended Street');
    const { version } = await reviewSubject(as(ruth), { id });
    const input = { propertyId: id, version } as const;
    const answers = await Promise.all([
      decideListing(as(ruth), { ...input, decision: 'approve' }),
      decideListing(as(omar), { ...input, decision: 'reject', reason: 'price', message: 'Too low.' }),
    ]);
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    const late = answers.find(({ ok }) => !ok);
    const first = answers[0].ok
      ? 'Ruth Amsel has already approved it.'
      : `${omar.name} has already rejected it.`;
    expect(late).toMatchObject({ reason: 'not_waiting', why: first });
    expect(await mailsTo(seller, '31 Contended Street')).toHaveLength(1);
    const subject = await reviewSubject(as(answers[0].ok ? omar : ruth), { id });
    expect(subject).toMatchObject({ waiting: false, outcome: first });
  });

  it('of a selection, what no longer waits is named with the reason', async () => {
    const [good, changed, withdrawn] = [
      await waiting('40 Good Way'),
      await waiting('41 Changed Way'),
      await waiting('42 Withdrawn Way'),
    ];
    const rows = (await reviewQueue(as(ruth), { page: 1 })).rows;
    const selected = rows
      .filter(({ id }) => [good, changed, withdrawn].includes(id))
      .map(({ id, version }) => ({ propertyId: id, version }));
    expect(selected).toHaveLength(3);
    await db.q().updateTable('properties').set({ description: 'Other' }).where('id', '=', changed).execute();
    await withdrawListing(as(seller), { propertyId: withdrawn });
    const missing = randomUUID();
    const answer = await approveListings(as(ruth), [
      ...selected,
      ...selected,
      { propertyId: missing, version: 'x' },
    ]);
    expect(answer.approved).toBe(1);
    expect([...answer.rest].sort((one, other) => one.address.localeCompare(other.address))).toEqual([
      { propertyId: changed, address: '41 Changed Way', why: CHANGED_MEANWHILE },
      { propertyId: withdrawn, address: '42 Withdrawn Way', why: 'Its seller has withdrawn it.' },
      { propertyId: missing, address: 'Unknown property', why: 'There is no such property.' },
    ]);
  });

  it('is for administrators alone, also empty selections and what is no listing', async () => {
    await expect(approveListings(as(seller), [])).rejects.toThrow(Forbidden);
    await expect(reviewSubject(as(seller), { id: 'no id' })).rejects.toThrow(Forbidden);
  });

  it('shows what changed since the approval, old beside new, and not what was changed back', async () => {
    const id = await waiting('50 Compare Street', { price_cents: 439_000_00, bedrooms: 3 });
    await decide(id, 'approve');
    clock.advance(60_000);
    await edit(id, { price: '459000', bedrooms: '4', description: 'Another text.' });
    clock.advance(60_000);
    await edit(id, { bedrooms: '3' });
    const { changes, approved, waiting: waits } = await reviewSubject(as(ruth), { id });
    expect(waits).toBe(true);
    expect(approved?.by).toBe('Ruth Amsel');
    expect(changes).toEqual([
      { field: 'Price', approved: '$439,000.00', now: '$459,000.00' },
      { field: 'Description', approved: 'A quiet house with a garden.', now: 'Another text.' },
    ]);
    // Confirming it leaves it on the market; sending it back takes it off.
    expect(await decide(id, 'request_changes')).toEqual({ ok: true, status: 'changes_requested' });
  });

  it('a changed listing that someone is paying for is not sent back', async () => {
    const id = await createListing(db, seller.agentId, {
      address: '51 Paying Street',
      changed_since_approval_at: clock.now(),
    });
    const buyer = await createUser(db, 'buyer');
    await db
      .q()
      .insertInto('property_sales')
      .values({
        property_id: id,
        buyer_id: buyer.id,
        agent_id: seller.agentId ?? '',
        sale_price_cents: 742_000_00,
        admin_percentage: 20,
        agent_commission_cents: 1,
        payment_method: 'card',
        provider: 'sandbox',
        idempotency_key: randomUUID(),
        locked_until: new Date(Date.now() + 3_600_000),
      })
      .execute();
    expect(await decide(id, 'reject')).toMatchObject({ ok: false, reason: 'being_bought' });
    expect(await decide(id, 'approve')).toEqual({ ok: true, status: 'Active' });
  });

  it('finds duplicates by address, however it is written, and by photos', async () => {
    const other = await createUser(db, 'agent');
    const place = { city: 'Port Alder', zip: '97103-1234' };
    const original = await createListing(db, other.agentId, { ...place, address: '27 Heron Wy, Unit B' });
    const copy = await waiting('27 HERON WAY Apt. B', { ...place, zip: '97103' });
    const elsewhere = await waiting('27 Heron Way Unit B', { ...place, zip: '90001' });
    const photo = async (propertyId: string, sha256: string) => {
      const { id } = await db
        .q()
        .insertInto('stored_images')
        .values({ width: 30, height: 20, widths: [30], placeholder: '', sha256, byte_size: 1 })
        .returning('id')
        .executeTakeFirstOrThrow();
      await db.q().insertInto('property_images').values({ property_id: propertyId, image_id: id }).execute();
    };
    const facts = { ...place, address: '27 Heron Way, Unit B', deleted_at: clock.now() };
    const deleted = await createListing(db, other.agentId, facts);
    for (const sha256 of ['aa', 'bb']) {
      await photo(original, sha256);
      await photo(deleted, sha256);
      await photo(elsewhere, sha256);
    }
    expect((await reviewSubject(as(ruth), { id: copy })).duplicates).toEqual([
      expect.objectContaining({ id: original, sameAddress: true, samePhotos: 0, sameSeller: false }),
    ]);
    expect((await reviewSubject(as(ruth), { id: elsewhere })).duplicates).toEqual([
      expect.objectContaining({ id: original, sameAddress: false, samePhotos: 2 }),
    ]);
    const flagged = (await reviewQueue(as(ruth), { page: 1 })).rows.filter(({ duplicate }) => duplicate);
    expect(flagged.map(({ id }) => id).sort()).toEqual([copy, elsewhere].sort());
  });

  /** Edits like a freshly opened page: the current form with changes. */
  async function edit(id: string, fields: Partial<ListingForm>, resubmit = false) {
    const ctx = { ...as(seller), geocoder: zipCodeGeocoder };
    const { listing } = await editForm(ctx, id);
    return editListing(ctx, {
      propertyId: id,
      version: 0,
      base: listing.form,
      form: { ...listing.form, ...fields },
      resubmit,
    });
  }
});
