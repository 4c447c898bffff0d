import {
  type Booking,
  type ClearingPosting,
  CURRENCY,
  type Part,
  partCents,
  postingKind,
  type Statement,
} from './facts.ts';

/** A posting confirms one part of a booking, or the whole of it. */
export interface Match {
  bookingId: string;
  parts: readonly Part[];
  postingId: number;
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
 * Matches bookings of a provider account with postings on its clearing account: by the provider's reference, then by sale, kind
 * and amount, the oldest first, then whole sales with one posting for all of their past. What bears different references is never matched, neither is a foreign currency.
 */
export function matchStatement(
  statement: Pick<Statement, 'bookings' | 'postings' | 'accountId' | 'sales' | 'breakRefunds'>,
): Matching {
  const book = new PostingBook(statement.postings);
  const matches: Match[] = [];
  const open = new Map(
    byTime(statement.bookings).map((booking) => [booking, new Set(booking.open)] as const),
  );
  const settle = (booking: Booking, parts: readonly Part[], posting: ClearingPosting | undefined) => {
    if (!posting) return;
    matches.push({ bookingId: booking.id, parts, postingId: posting.id });
    for (const part of parts) open.get(booking)?.delete(part);
  };
  const isOurs = ({ currency, saleId }: Booking) => {
    const sale = saleId === null ? undefined : statement.sales.get(saleId);
    return (
      currency === CURRENCY && (!sale || sale.accountId === null || sale.accountId === statement.accountId)
    );
  };
  for (const find of [book.byReference, book.bySale])
    for (const [booking, parts] of open) {
      if (!isOurs(booking)) continue;
      for (const part of [...parts])
        settle(booking, [part], find(booking, postingKind(booking, part), partCents(booking, part)));
      if (parts.size === 2)
        settle(booking, [...parts], find(booking, booking.kind, booking.amountCents - booking.feeCents));
    }
  for (const posting of book.openings()) {
    const covered = [...open].filter(
      ([booking, parts]) =>
        parts.size > 0 && booking.saleId === posting.saleId && booking.at <= posting.at && isOurs(booking),
    );
    const cents = covered.flatMap(([booking, parts]) => [...parts].map((part) => partCents(booking, part)));
    if (cents.length === 0 || cents.reduce((sum, one) => sum + one, 0) !== posting.cents) continue;
    book.take(posting);
    for (const [booking, parts] of covered) settle(booking, [...parts], posting);
  }
  const left = [...open]
    .filter(([, parts]) => parts.size > 0)
    .map(([booking, parts]) => ({ ...booking, open: [...parts] }));
  return {
    matches,
    bookings: left.filter((booking) => !isFollowed(booking, statement.breakRefunds)),
    postings: book.left(),
    toPost: left.filter((booking) => isFollowed(booking, statement.breakRefunds)),
  };
}

function isFollowed({ kind, saleId, currency, refs }: Booking, breakRefunds: ReadonlySet<string>): boolean {
  if (currency !== CURRENCY) return false;
  if (kind === 'bank_payout' || kind === 'bank_payout_return') return true;
  if (kind === 'fee') return saleId === null;
  return kind === 'refund' && refs.some((ref) => breakRefunds.has(ref));
}

export const byTime = <T extends { at: Date }>(list: readonly T[]): T[] =>
  [...list].sort((one, other) => one.at.getTime() - other.at.getTime());

/** Postings to take, each once, the oldest first. */
class PostingBook {
  readonly #taken = new Set<ClearingPosting>();
  readonly #byReference: Map<string, ClearingPosting[]>;
  readonly #bySale: Map<string, ClearingPosting[]>;
  readonly #postings: ClearingPosting[];

  constructor(postings: readonly ClearingPosting[]) {
    this.#postings = byTime(postings);
    const keyed = (keyOf: (posting: ClearingPosting) => string) => Map.groupBy(this.#postings, keyOf);
    this.#byReference = keyed(({ ref, cents }) => `${ref} ${cents}`);
    this.#bySale = keyed(({ saleId, kind, cents }) => `${saleId} ${kind} ${cents}`);
  }

  readonly byReference = (booking: Booking, kind: string, cents: number): ClearingPosting | undefined => {
    for (const ref of booking.refs) {
      const posting = this.#take(
        this.#byReference.get(`${ref} ${cents}`),
        (one) => one.kind === null || one.kind === kind,
      );
      if (posting) return posting;
    }
    return undefined;
  };

  readonly bySale = (booking: Booking, kind: string, cents: number): ClearingPosting | undefined =>
    booking.saleId === null
      ? undefined
      : this.#take(this.#bySale.get(`${booking.saleId} ${kind} ${cents}`), (one) => mayBe(one, booking));

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

  #take(
    list: ClearingPosting[] | undefined,
    fits: (posting: ClearingPosting) => boolean,
  ): ClearingPosting | undefined {
    const posting = list?.find((one) => !this.#taken.has(one) && fits(one));
    if (posting) this.#taken.add(posting);
    return posting;
  }
}

/** Whether a posting does not contradict a booking: it bears no reference, or one of the booking's. */
export const mayBe = (posting: Pick<ClearingPosting, 'ref'>, booking: Pick<Booking, 'refs'>): boolean =>
  posting.ref === null || booking.refs.includes(posting.ref);
