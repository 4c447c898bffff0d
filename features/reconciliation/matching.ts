import {
  type Booking,
  type ClearingPosting,
  CURRENCY,
  isOverdue,
  isTransfer,
  type Part,
  partCents,
  postingKind,
  type Statement,
} from './facts.ts';

/** A posting confirms one part of a booking, or the whole of it; null where what came and left again was never posted. */
export interface Match {
  bookingId: string;
  parts: readonly Part[];
  postingId: number | null;
}

/** What is left when everything that agrees is matched. */
export interface Matching {
  matches: Match[];
  /** with the parts that stay open */
  bookings: Booking[];
  postings: ClearingPosting[];
  /** bookings that the books follow without a further decision: bank payouts, fees of no sale, refunds that end a break */
  toPost: Booking[];
}

/**
 * Matches bookings of a provider account with postings on its clearing account: by the provider's reference, then refunds that
 * were drawn on several payments, then by sale, kind and amount, then what was posted once for several transfers, then sums under one
 * reference, then whole sales with one posting for all of their past. A sale's own payment goes before another one of it, a
 * booking that agrees as a whole before one that agrees in part, the older before the newer. What bears different references
 * is never matched, neither is a foreign currency.
 */
export function matchStatement(
  statement: Pick<Statement, 'bookings' | 'postings' | 'accountId' | 'sales' | 'breakRefunds' | 'now'>,
): Matching {
  const book = new PostingBook(statement.postings);
  const matches: Match[] = [];
  const open = byTime(statement.bookings).map((booking) => ({ booking, parts: new Set(booking.open) }));
  const ours = ownFirst(
    open.filter(({ booking }) => isOurs(booking, statement)),
    statement.sales,
  );
  const settle = ({ booking, parts }: OpenBooking, found: readonly Found[]) => {
    for (const { parts: settled, posting } of found) {
      if (posting) book.take(posting);
      matches.push({ bookingId: booking.id, parts: settled, postingId: posting?.id ?? null });
      for (const part of settled) parts.delete(part);
    }
  };
  for (const one of ours) settle(one, book.partwise(one, book.byReference));
  for (const { members, posting } of refundsInParts(ours, book.left()))
    for (const one of members) settle(one, [{ parts: ['amount'], posting }]);
  for (const one of ours) settle(one, book.whole(one));
  for (const one of ours) settle(one, book.partwise(one, book.bySale));
  for (const { members, posting } of transfersInParts(ours, book.left()))
    for (const { one, part } of members) settle(one, [{ parts: [part], posting }]);
  for (const { members, postings } of sumsByReference(ours, book.left(), statement.now)) {
    for (const [at, { one, part }] of members.entries())
      settle(one, [{ parts: [part], posting: postings[at] ?? postings.at(-1) ?? null }]);
    // Every posting is confirmed by a booking; those beyond the bookings by the last one.
    for (const posting of postings.slice(members.length))
      for (const { one } of members.slice(-1)) settle(one, [{ parts: [], posting }]);
  }
  const bySale = Map.groupBy(ours, ({ booking }) => booking.saleId);
  for (const posting of book.openings()) {
    const covered = (bySale.get(posting.saleId) ?? []).filter(
      ({ booking, parts }) => parts.size > 0 && booking.at <= posting.at,
    );
    const sum = covered.reduce((total, one) => total + openCents(one), 0);
    if (covered.length > 0 && sum === posting.cents)
      for (const one of covered) settle(one, [{ parts: [...one.parts], posting }]);
  }
  const left = open
    .filter(({ parts }) => parts.size > 0)
    .map(({ booking, parts }) => ({ ...booking, open: [...parts] }));
  return {
    matches,
    bookings: left.filter((booking) => !isFollowed(booking, statement.breakRefunds)),
    postings: book.left(),
    toPost: left.filter((booking) => isFollowed(booking, statement.breakRefunds)),
  };
}

interface Sum {
  members: { one: OpenBooking; part: Part }[];
  postings: ClearingPosting[];
}

/**
 * What adds up to the same on both sides under one reference and kind, as fees of a dispute that were charged one by one and
 * posted when we heard of all of them.
 */
function sumsByReference(
  list: readonly OpenBooking[],
  postings: readonly ClearingPosting[],
  now: Date,
): Sum[] {
  const keyOf = (kind: string | null, ref: string | null) => `${kind} ${ref}`;
  const posted = Map.groupBy(
    postings.filter(({ ref, kind }) => ref !== null && kind !== null),
    ({ kind, ref }) => keyOf(kind, ref),
  );
  const parts = list.flatMap((one) => [...one.parts].map((part) => ({ one, part })));
  const booked = Map.groupBy(
    parts.filter(({ one }) => one.booking.objectRef !== null),
    ({ one: { booking }, part }) => keyOf(postingKind(booking, part), booking.objectRef),
  );
  return [...booked].flatMap(([key, members]) => {
    const found = posted.get(key) ?? [];
    const theirs = members.reduce((sum, { one, part }) => sum + partCents(one.booking, part), 0);
    const ours = found.reduce((sum, { cents }) => sum + cents, 0);
    // What came and left again may still be posted, each by itself.
    const awaited = found.length === 0 && !members.every(({ one }) => isOverdue(one.booking, now));
    return theirs === ours && !awaited ? [{ members, postings: found }] : [];
  });
}

/**
 * Refunds that were booked in parts, one for each payment of the sale drawn on, and posted in one: as all of them, or without those
 * that had come back by then.
 */
function refundsInParts(
  list: readonly OpenBooking[],
  postings: readonly ClearingPosting[],
): { members: OpenBooking[]; posting: ClearingPosting }[] {
  const isOpen = ({ booking, parts }: OpenBooking) =>
    booking.saleId !== null && booking.objectRef !== null && parts.has('amount');
  const byRefund = ({ booking }: OpenBooking) => booking.objectRef;
  const returns = Map.groupBy(
    list.filter((one) => one.booking.kind === 'refund_return' && isOpen(one)),
    byRefund,
  );
  const taken = new Set<ClearingPosting>();
  const parts = Map.groupBy(
    list.filter((one) => one.booking.kind === 'refund' && isOpen(one)),
    byRefund,
  );
  return [...parts].flatMap(([ref, members]) => {
    const [first] = members;
    if (!first || members.length < 2) return [];
    const back = returns.get(ref) ?? [];
    for (let count = 0; count <= back.length; count++) {
      const all = [...members, ...back.slice(0, count)];
      const cents = all.reduce((sum, { booking }) => sum + partCents(booking, 'amount'), 0);
      const posting = postings.find(
        (one) =>
          !taken.has(one) &&
          one.saleId === first.booking.saleId &&
          one.kind === 'refund' &&
          one.cents === cents &&
          mayBe(one, first.booking),
      );
      if (!posting) continue;
      taken.add(posting);
      return [{ members: all, posting }];
    }
    return [];
  });
}

/**
 * What was posted once for several transfers of a sale that follow each other: the fees of a payout in items, and what was taken
 * back from several of them.
 */
function transfersInParts(
  list: readonly OpenBooking[],
  postings: readonly ClearingPosting[],
): { members: { one: OpenBooking; part: Part }[]; posting: ClearingPosting }[] {
  const keyOf = (saleId: string | null, kind: string | null) => `${saleId} ${kind}`;
  const parts = list
    .filter(({ booking }) => isTransfer(booking) && booking.saleId !== null)
    .flatMap((one) => [...one.parts].map((part) => ({ one, part })));
  const open = Map.groupBy(parts, ({ one: { booking }, part }) =>
    keyOf(booking.saleId, postingKind(booking, part)),
  );
  return postings.flatMap((posting) => {
    const key = keyOf(posting.saleId, posting.kind);
    const candidates = posting.ref === null ? (open.get(key) ?? []) : [];
    const members = consecutive(candidates, posting.cents);
    if (members.length === 0) return [];
    open.set(
      key,
      candidates.filter((one) => !members.includes(one)),
    );
    return [{ members, posting }];
  });
}

/** The first parts that follow each other and add up to so many cents; empty when there are none. */
function consecutive<P extends { one: OpenBooking; part: Part }>(parts: readonly P[], cents: number): P[] {
  for (const from of parts.keys()) {
    let sum = 0;
    for (const [at, { one, part }] of parts.slice(from).entries()) {
      sum += partCents(one.booking, part);
      if (sum === cents) return parts.slice(from, from + at + 1);
    }
  }
  return [];
}

/** A booking with the parts that are still to be matched. */
interface OpenBooking {
  booking: Booking;
  parts: Set<Part>;
}

interface Found {
  parts: readonly Part[];
  posting: ClearingPosting | null;
}

const openCents = ({ booking, parts }: OpenBooking): number =>
  [...parts].reduce((sum, part) => sum + partCents(booking, part), 0);

/** Whether the books of this account know the like: dollars, and no sale that is paid through another account. */
function isOurs(booking: Booking, { accountId, sales }: Pick<Statement, 'accountId' | 'sales'>): boolean {
  const { currency, saleId } = booking;
  const sale = saleId === null ? undefined : sales.get(saleId);
  const isElsewhere = sale && sale.accountId !== null && sale.accountId !== accountId;
  return currency === CURRENCY && (!isElsewhere || isTransfer(booking));
}

/** What bears the references of its sale's own payment comes before what only names the sale. */
function ownFirst(list: readonly OpenBooking[], sales: Statement['sales']): OpenBooking[] {
  const isOwn = ({ booking: { saleId, refs } }: OpenBooking) =>
    saleId !== null && (sales.get(saleId)?.refs ?? []).some((ref) => refs.includes(ref));
  return [...list.filter(isOwn), ...list.filter((one) => !isOwn(one))];
}

function isFollowed({ kind, saleId, currency, refs }: Booking, breakRefunds: ReadonlySet<string>): boolean {
  if (currency !== CURRENCY) return false;
  if (kind === 'bank_payout' || kind === 'bank_payout_return') return true;
  if (kind === 'fee') return saleId === null;
  return kind === 'refund' && refs.some((ref) => breakRefunds.has(ref));
}

export const byTime = <T extends { at: Date }>(list: readonly T[]): T[] =>
  [...list].sort((one, other) => one.at.getTime() - other.at.getTime());

type Find = (booking: Booking, kind: string, cents: number) => ClearingPosting | undefined;

/** Postings to take, each once, the oldest first. */
class PostingBook {
  readonly #taken = new Set<ClearingPosting>();
  readonly #byReference: Map<string, ClearingPosting[]>;
  readonly #bySale: Map<string, ClearingPosting[]>;
  readonly #postings: ClearingPosting[];

  constructor(postings: readonly ClearingPosting[]) {
    this.#postings = byTime(postings);
    this.#byReference = Map.groupBy(this.#postings, ({ ref, cents }) => `${ref} ${cents}`);
    this.#bySale = Map.groupBy(this.#postings, ({ saleId, kind, cents }) => `${saleId} ${kind} ${cents}`);
  }

  readonly byReference: Find = (booking, kind, cents) => {
    for (const ref of booking.refs) {
      const fits = (one: ClearingPosting) => one.kind === null || one.kind === kind;
      const posting = this.#free(this.#byReference.get(`${ref} ${cents}`), fits);
      if (posting) return posting;
    }
    return undefined;
  };

  readonly bySale: Find = (booking, kind, cents) =>
    booking.saleId === null
      ? undefined
      : this.#free(this.#bySale.get(`${booking.saleId} ${kind} ${cents}`), (one) => mayBe(one, booking));

  /** A posting for each open part that has one, or one for both. */
  partwise({ booking, parts }: OpenBooking, find: Find): Found[] {
    const found = [...parts].flatMap((part): Found[] => {
      const posting = find(booking, postingKind(booking, part), partCents(booking, part));
      return posting ? [{ parts: [part], posting }] : [];
    });
    if (found.length > 0 || parts.size < 2) return found;
    const posting = find(booking, booking.kind, booking.amountCents - booking.feeCents);
    return posting ? [{ parts: [...parts], posting }] : [];
  }

  /** The postings of the sale that agree with every open part, or none. */
  whole(one: OpenBooking): Found[] {
    const found = this.partwise(one, this.bySale);
    return found.reduce((sum, { parts }) => sum + parts.length, 0) === one.parts.size ? found : [];
  }

  /** Postings that stand for everything about a sale up to then. */
  openings(): ClearingPosting[] {
    return this.left().filter(({ kind, ref, saleId }) => kind === null && ref === null && saleId !== null);
  }

  take(posting: ClearingPosting): void {
    this.#taken.add(posting);
  }

  left(): ClearingPosting[] {
    return this.#postings.filter((posting) => !this.#taken.has(posting));
  }

  #free(
    list: readonly ClearingPosting[] | undefined,
    fits: (posting: ClearingPosting) => boolean,
  ): ClearingPosting | undefined {
    return list?.find((one) => !this.#taken.has(one) && fits(one));
  }
}

/** Whether a posting does not contradict a booking: it bears no reference, or one of the booking's. */
export const mayBe = (posting: Pick<ClearingPosting, 'ref'>, booking: Pick<Booking, 'refs'>): boolean =>
  posting.ref === null || booking.refs.includes(posting.ref);
