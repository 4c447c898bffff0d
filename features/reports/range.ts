import { isTimeZone } from '#features/notifications/rules.ts';
import { formatCount } from '#platform/format-count.ts';
import type { AdminListQuery } from '#routing/admin-paths.ts';
import { groupings, type ReportQuery } from './model.ts';
import type { ReportTab } from './report-figures.ts';
import { addDays, dayCount } from './zone-days.ts';

/** The tabs of the page, in their order. */
export const reportTabs = ['financial', 'registrations', 'searches', 'engagement'] as const;

export const tabLabels: Record<ReportTab, string> = {
  financial: 'Financial Analytics',
  registrations: 'Buyer Registration',
  searches: 'Search Patterns',
  engagement: 'User Engagement',
};

/** The days that a report has unless others are chosen. */
const DEFAULT_DAYS = 30;
export const MAX_YEARS = 5;

/** First and last day, both included: 'YYYY-MM-DD'. */
export interface Days {
  from: string;
  to: string;
}

/** Why the range is not what was asked for: an end was missing, or it was longer than a report can be. */
type RangeHint = 'missing-end' | 'shortened';

/** What the URL of the page asks for. */
export interface ReportView {
  tab: ReportTab;
  query: ReportQuery;
  /** whether the URL names the days; otherwise they are the last 30, whenever it is opened */
  daysChosen: boolean;
  zoneChosen: boolean;
  /** tables in place of charts: the page without scripts */
  tables: boolean;
  hint: RangeHint | null;
}

interface Viewer {
  now: Date;
  /** the zone of the reader, an IANA name */
  zone: string;
}

/**
 * What the URL asks for; what is unknown is ignored. A range without both ends is the one that was chosen before, which
 * the form sends as `keep`; one whose ends are the wrong way round is turned; a longer one than five years loses its beginning.
 */
export function reportViewFrom(params: URLSearchParams, viewer: Viewer): ReportView {
  const zone = zoneFrom(params.get('zone'));
  const today = todayIn(zone ?? viewer.zone, viewer.now);
  const given = daysFrom(params.get('from'), params.get('to'));
  const preserved = daysFrom(...(params.get('keep') ?? '').split(KEEP_SEPARATOR));
  const chosen = isWhole(given) ? given : isWhole(preserved) ? preserved : null;
  const { days, shortened } = bounded(chosen ?? lastDays(today, DEFAULT_DAYS));
  const lacksEnd = !isWhole(given) && (given.from !== null || given.to !== null || isWhole(preserved));
  return {
    tab: oneOf(reportTabs, params.get('tab')) ?? 'financial',
    query: {
      ...days,
      zone: zone ?? viewer.zone,
      grouping: oneOf(groupings, params.get('grouping')) ?? 'daily',
    },
    daysChosen: chosen !== null,
    zoneChosen: zone !== null && zone !== viewer.zone,
    tables: params.get('as') === 'tables',
    hint: lacksEnd ? 'missing-end' : shortened ? 'shortened' : null,
  };
}

const KEEP_SEPARATOR = '..';

/** The days that were chosen for a page, as its form sends them along; nothing for those it has by itself, which go on with the calendar. */
export const keepParam = ({ daysChosen, query }: ReportView): string | undefined =>
  daysChosen ? query.from + KEEP_SEPARATOR + query.to : undefined;

/** The URL parameters of a view with changes; what the page has by itself is left out, so that a bookmark stays current. */
export function viewParams(
  view: ReportView,
  changes: Partial<ReportQuery> & { tab?: ReportTab } = {},
): AdminListQuery {
  const { tab, from, to, zone, grouping } = { ...view.query, tab: view.tab, ...changes };
  const days = view.daysChosen || changes.from !== undefined;
  return {
    tab: tab === 'financial' ? undefined : tab,
    from: days ? from : undefined,
    to: days ? to : undefined,
    grouping: grouping === 'daily' ? undefined : grouping,
    zone: view.zoneChosen || changes.zone !== undefined ? zone : undefined,
    as: view.tables ? 'tables' : undefined,
  };
}

/** Everything that a file of a view is made of, as URL parameters: the same days whenever it is opened. */
export const fileParams = ({ tab, query: { from, to, grouping, zone } }: ReportView) => ({
  tab,
  from,
  to,
  grouping,
  zone,
});

interface Preset extends Days {
  label: string;
}

const periods = { month: 1, quarter: 3, year: 12 } as const;

/** Ranges to choose from; those of this month, quarter and year end today. */
export const presetsOf = (today: string): Preset[] => [
  ...[7, DEFAULT_DAYS, 90].map((count) => ({ label: `Last ${count} days`, ...lastDays(today, count) })),
  ...Object.entries(periods).flatMap(([name, months]) => {
    const { first, previous } = periodOf(today, months);
    return [
      { label: `This ${name}`, from: first, to: today },
      { label: `Last ${name}`, from: previous, to: addDays(first, -1) },
    ];
  }),
];

/** The calendar day that it is in a time zone. */
export const todayIn = (zone: string, now: Date): string =>
  new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).format(now);

/** 'Dec 15, 2024 – Jan 13, 2025', or one day. */
export const daysInWords = ({ from, to }: Days): string =>
  from === to ? dayInWords(from) : `${dayInWords(from)} – ${dayInWords(to)}`;

const dayFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });
const dayInWords = (day: string) => dayFormat.format(new Date(day));

/** 'the 30 days before': what changes are measured against. */
export function beforeInWords(days: Days): string {
  const count = dayCount(days);
  return count === 1 ? 'the day before' : `the ${formatCount(count)} days before`;
}

const lastDays = (today: string, count: number): Days => ({ from: addDays(today, 1 - count), to: today });

/** The first day of the period of so many months that a day is in, and of the one before. */
function periodOf(day: string, months: number): { first: string; previous: string } {
  const year = Number(day.slice(0, 4));
  const month = Math.floor((Number(day.slice(5, 7)) - 1) / months) * months;
  return { first: firstOfMonth(year, month), previous: firstOfMonth(year, month - months) };
}

const firstOfMonth = (year: number, month: number): string =>
  new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10);

/** Days as a URL has them: an end is null when it is missing or not a day. */
interface GivenDays {
  from: string | null;
  to: string | null;
}

const isWhole = (days: GivenDays): days is Days => days.from !== null && days.to !== null;

function daysFrom(one: string | null = null, other: string | null = null): GivenDays {
  const [from, to] = [dayFrom(one), dayFrom(other)];
  return from !== null && to !== null && from > to ? { from: to, to: from } : { from, to };
}

/** A day of this century; one that the calendar does not have, such as February 30, is none. */
function dayFrom(text: string | null): string | null {
  if (!text || !/^20\d\d-\d\d-\d\d$/.test(text)) return null;
  const at = Date.parse(text);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text) ? text : null;
}

function bounded({ from, to }: Days): { days: Days; shortened: boolean } {
  const [year, rest] = [Number(to.slice(0, 4)), to.slice(4)];
  const earliest = addDays(`${year - MAX_YEARS}${rest === '-02-29' ? '-02-28' : rest}`, 1);
  return from < earliest
    ? { days: { from: earliest, to }, shortened: true }
    : { days: { from, to }, shortened: false };
}

/** Null for what is no time zone. */
const zoneFrom = (text: string | null): string | null => (text && isTimeZone(text) ? text : null);

const oneOf = <Value extends string>(values: readonly Value[], text: string | null): Value | null =>
  values.find((value) => value === text) ?? null;
