import type { ListingPicture, PropertyStatus } from '#features/listings/model.ts';

/** How many days the statistics cover, today included; days are those of UTC. */
export const STATISTICS_DAYS = 30;
/** Fewer similar listings than these are not compared with. */
export const FEWEST_SIMILAR = 5;
/** Of more similar listings, those nearest in price are taken. */
export const MOST_SIMILAR = 50;

/** Of a seller with more listings, the newest of them are summed up. */
export const MOST_SUMMED = 500;

export const metrics = ['views', 'watches', 'inquiries'] as const;
export type Metric = (typeof metrics)[number];
export type Counts = Record<Metric, number>;

/** A day of UTC ('YYYY-MM-DD') and what happened on it. */
export interface DayCounts extends Counts {
  day: string;
}

/** What is usual for similar listings. */
export interface Usual {
  /** how many similar listings there are; at most `MOST_SIMILAR` */
  listings: number;
  /** where they are: the city, or the state when the city has too few */
  place: string;
  /** medians of the same days */
  counts: Counts;
}

/** What similar listings have, or why a listing is not compared: it is off the market, or too few are similar. */
export type Comparison = Usual | 'off_market' | 'too_few';

/** A listing's totals of the last days, and what is usual. */
export interface ListingTotals {
  counts: Counts;
  comparison: Comparison;
}

/** The statistics of one listing. */
export interface ListingStatistics extends ListingTotals {
  listing: {
    id: string;
    address: string;
    town: string;
    type: string;
    status: PropertyStatus;
    picture: ListingPicture | null;
    /** of visitors by day, as My Properties shows it, since it was listed */
    views: number;
  };
  /** the last days, oldest first, without gaps */
  days: DayCounts[];
  /** medians of similar listings by day; a day on which this listing was not on the market has none */
  usualDays: (Counts | null)[] | null;
  /**
   * whole days from going on the market to the first inquiry, null before one; and the median of similar listings, null when most
   * have had none or there is nothing to compare with
   */
  firstInquiryDays: { own: number | null; usual: number | null };
}

/** The statistics of a seller's listings together; of more than `MOST_SUMMED` those of the newest. */
export interface OwnStatistics {
  days: DayCounts[];
  counts: Counts;
  /** there are more listings than are summed up */
  isPart: boolean;
  /** the newest listings on the market that similar ones were found for, and how many of them are above the median */
  compared: { listings: number; above: Counts };
}
