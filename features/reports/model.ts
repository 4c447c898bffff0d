export const groupings = ['daily', 'weekly', 'monthly'] as const;
export type Grouping = (typeof groupings)[number];

/** Of each day and month that is over, so many of the most frequent searches are kept, and of those that found nothing. */
export const MOST_TERMS = 200;

/** Days of the calendar in a time zone, both included: 'YYYY-MM-DD'. */
export interface ReportRange {
  from: string;
  to: string;
  zone: string;
}

export interface ReportQuery extends ReportRange {
  grouping: Grouping;
}

/** A point of the time axis; never empty of days, clipped to the range. */
export interface Bucket {
  key: string;
  label: string;
  /** month and dates in words, for tooltips */
  title: string;
  from: string;
  to: string;
}

/** Net of what has gone back to buyers, by the day on which it did, but for the average. */
export interface FinancialFigures {
  revenueCents: number;
  commissionsCents: number;
  adminFeesCents: number;
  serviceFeesCents: number;
  sales: number;
  /** of the prices paid in the range, whatever went back; 0 without payments */
  averageCents: number;
}

export interface FinancialReport {
  figures: FinancialFigures;
  /** anything was paid or went back in the range, even if both add up to nothing */
  counted: boolean;
  /** the same number of days just before the range */
  before: FinancialFigures;
  /** anything was paid or went back then */
  countedBefore: boolean;
  /** owed to sellers of sales paid in the range, now */
  pendingPayoutsCents: number;
  /** owed to sellers of sales paid in as many days just before, now */
  pendingBeforeCents: number;
  processingPayoutsCents: number;
  trend: { bucket: Bucket; revenueCents: number; sales: number }[];
}

export interface RegistrationReport {
  total: number;
  before: number;
  trend: { bucket: Bucket; buyers: number }[];
}

export interface SearchReport {
  bands: {
    fromCents: number;
    /** null for the last one, 2,000,000 dollars and above */
    toCents: number | null;
    label: string;
    views: number;
  }[];
  topSearches: { words: string; searches: number; results: number | null }[];
  withoutResults: { words: string; searches: number }[];
  /** what was asked for, and what is on the market now */
  demand: { kind: 'type' | 'price' | 'place'; label: string; searches: number; listings: number }[];
}

export interface EngagementReport {
  trend: { bucket: Bucket; views: number; viewers: number }[];
  figures: {
    views: number;
    watches: number;
    inquiries: number;
    /** seconds, null without replies */
    replySeconds: number | null;
  };
  before: EngagementReport['figures'];
  funnel: { step: 'views' | 'watches' | 'inquiries' | 'checkouts' | 'sales'; count: number }[];
}
