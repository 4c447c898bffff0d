import { describe, expect, it } from 'vitest';
import { demoAccounts } from '#features/accounts/model.ts';
import { feeCents } from '#features/fees/rules.ts';
import { buildingStyleOf } from '#illustrator/building-styles.ts';
import { illustrationKey } from '#illustrator/illustration-key.ts';
import { DAY } from '#platform/durations.ts';
import { calendarAt } from './calendar.ts';
import { rawCid } from './documents/cid.ts';
import { AMENITIES } from './listings/amenities.ts';
import { demoMarket } from './market.ts';
import { demoInvitationPath } from './people.ts';
import { sellerShare } from './sales/sales.ts';
import { TOWNS } from './towns.ts';

const NOW = new Date('2026-11-20T15:40:00Z');
const market = demoMarket(NOW, 'hash');
const { listings, people, sales, interest, conversations, changes, documents } = market;
const active = listings.filter(
  ({ timeline, seller }) => timeline.status === 'Active' && seller.row.status === 'active',
);
const text = active.map(({ row }) => `${row.title} ${row.description}`).join('\n');

describe('demoMarket', () => {
  it('is the same for the whole day and moves on with the next', () => {
    const again = demoMarket(new Date('2026-11-20T00:00:00Z'), 'hash');
    expect(JSON.stringify(again)).toBe(JSON.stringify(market));
    const tomorrow = demoMarket(new Date('2026-11-21T09:00:00Z'), 'hash');
    expect(tomorrow.listings.map(({ id }) => id)).toEqual(listings.map(({ id }) => id));
    const day = (index: number, of: typeof market) =>
      new Date(of.listings[index]?.row.created_at ?? 0).getTime();
    expect(day(40, tomorrow) - day(40, market)).toBe(DAY);
  });

  it('has nothing in the future but deadlines', () => {
    const { midnight } = calendarAt(NOW);
    const dates = [
      ...listings.map(({ row }) => row.created_at),
      ...conversations.messages.map(({ created_at }) => created_at),
      ...interest.viewEvents.map(({ viewed_at }) => viewed_at),
      ...sales.rows.events.map(({ created_at }) => created_at),
      ...changes.notifications.map(({ created_at }) => created_at),
      ...documents.registry.map(({ created_at }) => created_at),
    ];
    expect(dates.filter((date) => !date || new Date(date) > midnight)).toEqual([]);
  });

  it('offers one account of each kind', () => {
    const byEmail = new Map(people.accounts.map((person) => [person.email, person.role]));
    for (const { email, role } of demoAccounts) expect(byEmail.get(email)).toBe(role);
    const invited = people.sellers.find(({ person }) => person === null);
    expect(invited?.email).toBe('invited@acre.test');
    expect(demoInvitationPath()).toContain(`id=${invited?.id}&token=`);
    expect(new Set(people.accounts.map(({ id }) => id)).size).toBe(people.accounts.length);
  });
});

describe('the listings', () => {
  it('are 240 on the market, of all four kinds, in many towns and states', () => {
    expect(active).toHaveLength(240);
    expect(new Set(active.map(({ kind }) => kind)).size).toBe(4);
    expect(new Set(active.map(({ row }) => row.city)).size).toBe(TOWNS.length);
    expect(new Set(listings.map(({ timeline }) => timeline.status))).toEqual(
      new Set(['Active', 'pending', 'changes_requested', 'rejected', 'withdrawn', 'escrow', 'Sold']),
    );
  });

  it('include some for the review desk: changed after approval, submitted again, and listed twice', () => {
    expect(active.filter(({ row }) => row.changed_since_approval_at)).toHaveLength(2);
    const waiting = listings.filter(({ timeline }) => timeline.status === 'pending');
    expect(waiting.filter(({ row }) => row.submitted_at)).toHaveLength(1);
    const plain = (address: string) =>
      address.replace(/(?:Street|St\.|Road|Rd|Lane|Ln|Drive|Dr|Avenue|Ave)$/, '');
    const twice = waiting.filter((one) =>
      active.some(({ row }) => row.city === one.row.city && plain(row.address) === plain(one.row.address)),
    );
    expect(twice).toHaveLength(1);
  });

  it('include five featured ones, each in its own slot', () => {
    const slots = active.flatMap(({ row }) => row.featured_slot ?? []);
    expect(slots.sort()).toEqual([1, 2, 3, 4, 5]);
  });

  it('have unique addresses and fit the columns', () => {
    expect(new Set(listings.map(({ id }) => id)).size).toBe(listings.length);
    expect(new Set(listings.map(({ row }) => `${row.address}, ${row.city}`)).size).toBe(listings.length);
    for (const { row } of listings) {
      expect(String(row.title).length).toBeGreaterThan(4);
      expect(String(row.title).length).toBeLessThanOrEqual(120);
      expect(String(row.description).split(/[.?!](?: |$)/).length, row.address).toBeGreaterThan(2);
      expect(Number(row.price_cents)).toBeGreaterThan(20_000_00);
      expect(Number(row.price_cents) % 500_00).toBe(0);
    }
  });

  it('read as sentences, with no gaps, placeholders or repeated text', () => {
    for (const { row } of listings) {
      const words = `${row.title} ${row.description}`;
      expect(words).not.toMatch(/[{}]|undefined|null|NaN| {2}|\.\.|^[a-z]|\. [a-z]/);
      const sentences = String(row.description).split(/(?<=\.) /);
      expect(new Set(sentences).size, row.address).toBe(sentences.length);
    }
    expect(new Set(listings.map(({ row }) => row.description)).size).toBe(listings.length);
  });

  it('include rare search terms', () => {
    for (const word of [
      'observatory',
      'koi pond',
      'yurt',
      'casita',
      'letterpress',
      'dovecote',
      'quarry pool',
    ]) {
      expect(text).toContain(word);
    }
  });

  it('have a picture that matches the text', () => {
    const cottages = listings.filter(
      ({ kind, row }) => kind === 'Single Family' && /\bcottage\b/i.test(String(row.title)),
    );
    expect(cottages.length).toBeGreaterThan(5);
    for (const { id, kind } of cottages) expect(buildingStyleOf(illustrationKey(id, kind))).toBe('cottage');
  });

  it('are located around their town', () => {
    for (const { row } of listings) {
      const town = TOWNS.find(({ name }) => name === row.city);
      expect(Math.abs((row.latitude ?? 0) - (town?.latitude ?? 99))).toBeLessThan(0.08);
      expect(Math.abs((row.longitude ?? 0) - (town?.longitude ?? 999))).toBeLessThan(0.1);
    }
  });

  it('have only known amenities', () => {
    const marked = new Set(listings.flatMap(({ amenities }) => amenities));
    expect(marked.size).toBeGreaterThan(15);
    for (const name of marked) expect(AMENITIES).toContain(name);
  });

  it('were created after their seller had joined', () => {
    for (const { seller, timeline } of listings)
      expect(seller.person?.joinedDaysAgo).toBeGreaterThan(timeline.created);
  });
});

describe('the sales', () => {
  it('cover every state of the sale state machine', () => {
    const states = new Set(
      sales.rows.sales.map(
        (sale) => `${sale.stripe_payment_status} ${sale.escrow_status} ${sale.payout_status ?? '-'}`,
      ),
    );
    expect([...states].sort()).toEqual([
      'completed completed completed',
      'completed completed failed',
      'completed completed pending',
      'completed completed processing',
      'completed in_escrow -',
      'failed cancelled -',
      'pending pending -',
      'processing pending -',
      'refunded cancelled -',
    ]);
  });

  it('compute every amount from the price', () => {
    for (const sale of sales.rows.sales) {
      const listing = listings.find(({ id }) => id === sale.property_id);
      const price = Number(listing?.row.price_cents);
      const rate = listing?.seller.row.commission_rate ?? 80;
      expect(sale.sale_price_cents).toBe(price);
      expect(sale.buyer_fees_cents).toBe(
        market.fees.fees.reduce((sum, fee) => sum + feeCents(price, fee), 0),
      );
      expect(sale.admin_percentage).toBe(100 - Number(rate));
      expect(sale.agent_commission_cents).toBe(sellerShare(price, 100 - Number(rate)));
      const lines = sales.rows.fees.filter(({ sale_id }) => sale_id === sale.id);
      expect(lines.reduce((sum, line) => sum + line.amount_applied_cents, 0)).toBe(sale.buyer_fees_cents);
    }
  });

  it('have a ledger that balances, entry by entry and sale by sale', () => {
    const held = new Map<string, number>();
    for (const { postings, saleId, key } of sales.rows.entries) {
      expect(
        postings.reduce((sum, [, cents]) => sum + cents, 0),
        key,
      ).toBe(0);
      for (const [account, cents] of postings) {
        if (account === 'escrow_held') held.set(saleId, (held.get(saleId) ?? 0) - cents);
      }
    }
    for (const sale of sales.rows.sales) {
      const returned = sale.returned_base_cents ?? 0;
      const expected = sale.escrow_status === 'in_escrow' ? sale.sale_price_cents - returned : 0;
      expect(held.get(sale.id ?? '') ?? 0).toBe(expected);
    }
  });

  it('never sell a property twice, nor to its seller', () => {
    const live = sales.rows.sales.filter(
      (sale) =>
        sale.escrow_status !== 'cancelled' &&
        !['failed', 'refunded'].includes(sale.stripe_payment_status ?? ''),
    );
    expect(new Set(live.map(({ property_id }) => property_id)).size).toBe(live.length);
    for (const { plan } of sales.made) expect(plan.buyer.joinedDaysAgo).toBeGreaterThan(plan.begun);
  });
});

describe('sellerShare', () => {
  it.each([
    [500_000_00, 20, 400_000_00],
    [1, 50, 1],
    [333_33, 17.5, 275_00],
    [999_999_999_99, 0, 999_999_999_99],
    [123_45, 100, 0],
  ])('of %i cents at %d %% is %i', (price, percent, share) => {
    expect(sellerShare(price, percent)).toBe(share);
  });
});

describe('user activity', () => {
  it('leaves the first buyer three unread messages and an unread notification', () => {
    const buyer = people.buyers[0]?.id;
    const own = new Set(
      conversations.inquiries.flatMap((one) => (one.user_id === buyer ? (one.id ?? []) : [])),
    );
    const waiting = conversations.messages.filter(
      (message) => own.has(message.inquiry_id) && message.sender_id !== buyer && !message.is_read,
    );
    expect(waiting).toHaveLength(3);
    expect(changes.notifications.some((news) => news.user_id === buyer && !news.is_read)).toBe(true);
  });

  it('keeps threads in order, after the listing went public', () => {
    for (const inquiry of conversations.inquiries) {
      const listing = listings.find(({ id }) => id === inquiry.property_id);
      const times = conversations.messages
        .filter((one) => one.inquiry_id === inquiry.id)
        .map((one) => one.created_at);
      const all = [listing?.row.listed_at, inquiry.created_at, ...times].map((date) =>
        new Date(date ?? 0).getTime(),
      );
      expect(all).toEqual([...all].sort((one, other) => one - other));
    }
  });

  it('has watches and views only of listings that were public then', () => {
    const listed = new Map(listings.map(({ id, row }) => [id, new Date(row.listed_at ?? 8.64e15)]));
    for (const view of interest.viewEvents) {
      expect(new Date(view.viewed_at ?? 0) >= (listed.get(view.property_id) ?? NOW)).toBe(true);
    }
    const pairs = interest.watches.map((watch) => `${watch.user_id} ${watch.property_id}`);
    expect(new Set(pairs).size).toBe(pairs.length);
  });

  it('has reports in every state, and a person who was warned and one who was suspended', () => {
    const { reports, notices, suspended } = market.oversight;
    const decisions = reports.map(({ decision }) => decision ?? 'open');
    expect(decisions.sort()).toEqual(['closed', 'open', 'open', 'suspended', 'warned']);
    const own = new Set(people.buyers.slice(0, 2).map(({ id }) => id));
    const marked = [...notices.map(({ user_id }) => user_id), ...suspended.map(({ id }) => id)];
    expect(marked).toHaveLength(2);
    expect(marked.some((id) => own.has(id))).toBe(false);
    expect(market.documents.registry.filter(({ scan }) => scan === 'held')).toHaveLength(1);
  });

  it('has searches with and without results', () => {
    const zero = market.searches.filter(({ row }) => row.results === 0);
    expect(zero.length).toBeGreaterThan(10);
    expect(zero.length).toBeLessThan(market.searches.length / 2);
  });
});

describe('the documents', () => {
  it('are real files that match the registry', () => {
    expect(documents.files).toHaveLength(documents.registry.length);
    for (const [index, row] of documents.registry.entries()) {
      const file = documents.files[index];
      expect(file?.sha256).toBe(row.sha256);
      expect(file?.body.length).toBe(row.byte_size);
      expect(file?.body.subarray(0, 8).toString()).toBe('%PDF-1.4');
      expect(row.cid).toBe(rawCid(row.sha256));
    }
  });

  it('prove the ownership of some listings, which an administrator verified, refuses or has yet to look at', () => {
    const { proofs, registry, files } = market.ownership;
    expect(proofs.map(({ status = 'waiting' }) => status).sort()).toEqual([
      'refused',
      'verified',
      'verified',
      'verified',
      'verified',
      'waiting',
    ]);
    expect(files.map(({ sha256 }) => sha256)).toEqual(registry.map(({ sha256 }) => sha256));
    expect(proofs.map(({ document_id }) => document_id)).toEqual(registry.map(({ id }) => id));
  });

  it('have the content identifiers that IPFS assigns', () => {
    // SHA-256 of 'hello world', whose CID is well known.
    expect(rawCid('b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9')).toBe(
      'bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e',
    );
  });
});
