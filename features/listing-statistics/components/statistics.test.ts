import { createElement, type ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { describe, expect, it } from 'vitest';
import type { Comparison, Counts, DayCounts, ListingStatistics, Usual } from '../model.ts';
import { coveredDays } from '../rules.ts';
import { DayChart } from './day-chart.tsx';
import { OwnSummary } from './own-summary.tsx';
import { StatisticsView } from './statistics-view.tsx';
import { TotalsLink } from './totals-link.tsx';

function htmlOf(element: ReactElement): string {
  const router = createMemoryRouter([{ path: '*', element }]);
  return renderToStaticMarkup(createElement(RouterProvider, { router }));
}
const words = (html: string) =>
  html
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/ ([.,])/g, '$1')
    .trim();
const textOf = (element: ReactElement) => words(htmlOf(element));

const none: Counts = { views: 0, watches: 0, inquiries: 0 };
const days: DayCounts[] = coveredDays(new Date('2026-11-20T12:00:00Z')).map((day, at) => ({
  day,
  ...none,
  views: at === 29 ? 4 : 0,
}));
const usual: Usual = {
  listings: 7,
  place: 'Cedar Hollow',
  counts: { views: 12.5, watches: 2, inquiries: 1 },
};
const listing = { id: 'b9f8', address: '27 Heron Way' };

describe('a chart of days', () => {
  const chart = (usualDays: (number | null)[] | null, of = days) =>
    htmlOf(createElement(DayChart, { metric: 'views', days: of, usual: usualDays }));

  it('has every value in a table, and a bar and a name for each day', () => {
    const html = chart([...Array<null>(28).fill(null), 1, 2.5]);
    const table = words(html.slice(html.indexOf('<table'), html.indexOf('</table>')));
    expect(table).toMatch(/^Views by day Day Views Median of Similar Listings Oct 22 0 – Oct 23 0 – /);
    expect(table).toMatch(/ Nov 19 0 1 Nov 20 4 2\.5$/);
    expect(html.match(/class="bar"/g)).toHaveLength(30);
    expect(html).toContain('<title>Nov 20: 4 views</title>');
    expect(html).toContain('<polyline points="280,76.0 290,76.0 290,40.0 300,40.0"');
    expect(words(html)).toContain('This property Median of similar listings');
  });

  it('has no line where nothing is compared, and says so in words where nothing happened', () => {
    expect(chart(null)).not.toMatch(/<polyline|Median/);
    expect(
      words(
        chart(
          null,
          days.map((day) => ({ ...day, ...none })),
        ),
      ),
    ).toBe('No views in the last 30 days.');
  });
});

describe('the line of a listing', () => {
  const line = (comparison: Comparison) =>
    textOf(
      createElement(TotalsLink, {
        listing,
        totals: { counts: { views: 84, watches: 3, inquiries: 1 }, comparison },
      }),
    );

  it('has the totals and the medians, for the eye and in words', () => {
    expect(line(usual)).toBe(
      '84 3 1 Statistics of 27 Heron Way: 84 views, 3 watches and 1 inquiry. Similar: 12.5 · 2 · 1 Median of similar listings: 12.5 views, 2 watches and 1 inquiry.',
    );
  });

  it('says when there is nothing to compare with, and leads to the statistics when they could not be loaded', () => {
    expect(line('too_few')).toContain('Not enough similar listings');
    expect(line('off_market')).not.toContain('imilar');
    const html = htmlOf(createElement(TotalsLink, { listing, totals: undefined }));
    expect(html).toContain('href="/agent/properties/b9f8/statistics"');
    expect(words(html)).toBe('Statistics of 27 Heron Way');
  });
});

describe('the page of a listing', () => {
  const page = (changes: Partial<ListingStatistics>) =>
    textOf(
      createElement(StatisticsView, {
        statistics: {
          listing: {
            ...listing,
            town: 'Cedar Hollow, OR',
            type: 'Single Family',
            status: 'Active',
            picture: null,
            views: 418,
          },
          days,
          counts: { ...none, views: 4 },
          comparison: usual,
          usualDays: days.map(() => none),
          firstInquiryDays: { own: 2, usual: 4 },
          ...changes,
        },
      }),
    );

  it('has each figure beside the median of similar listings', () => {
    const text = page({});
    expect(text).toContain('Views 4 Similar listings: 12.5');
    expect(text).toContain('Days to First Inquiry 2 Similar listings: 4');
    expect(text).toContain('Compared with the median of 7 similar listings in Cedar Hollow');
    expect(text).toContain('418 since the property was listed');
  });

  it('says what is missing', () => {
    const early = page({ firstInquiryDays: { own: null, usual: null } });
    expect(early).toContain('Days to First Inquiry None yet Similar listings: none yet');
    const alone = page({ comparison: 'too_few', usualDays: null });
    expect(alone).toContain('There are not enough similar listings to compare with');
    expect(alone).not.toContain('Similar listings:');
    expect(page({ comparison: 'off_market', usualDays: null })).toContain(
      'This property is not on the market',
    );
  });
});

describe('the summary of all listings', () => {
  const summary = (listings: number, isPart = false) =>
    textOf(
      createElement(OwnSummary, {
        statistics: {
          days,
          counts: { views: 4, watches: 0, inquiries: 0 },
          isPart,
          compared: { listings, above: { views: 1, watches: 0, inquiries: 0 } },
        },
      }),
    );

  it('says how many listings are above the median', () => {
    expect(summary(3)).toContain('Views 4 1 of 3 above the median');
    expect(summary(3)).toContain('3 of your newest active listings are compared.');
    expect(summary(1)).toContain('1 of your newest active listings is compared.');
    expect(summary(0)).toContain('There are not enough similar listings to compare yours with.');
    expect(summary(0)).not.toContain('above the median');
    expect(summary(0)).not.toContain('newest');
    expect(summary(0, true)).toContain('These are your 500 newest listings.');
  });
});
