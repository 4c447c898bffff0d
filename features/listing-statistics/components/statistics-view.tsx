import { formatCount } from '#platform/format-count.ts';
import './statistics.css';
import { Bookmark, CalendarClock, Eye, MessagesSquare } from 'lucide-react';
import { Link } from 'react-router';
import { ListingPictureView } from '#features/listings/components/listing-picture.tsx';
import { statusLabel, statusTone } from '#features/listings/display.ts';
import { sellerPaths } from '#routing/seller-paths.ts';
import { Badge } from '#ui/badge.tsx';
import { Panel } from '#ui/panel.tsx';
import { StatStrip } from '#ui/stat-strip.tsx';
import { comparisonText, countText, figure, metricLabel } from '../display.ts';
import { type ListingStatistics, type Metric, metrics, STATISTICS_DAYS } from '../model.ts';
import { DayChart } from './day-chart.tsx';

const icons = { views: Eye, watches: Bookmark, inquiries: MessagesSquare } satisfies Record<Metric, unknown>;

/** The statistics of one listing: totals beside the medians of similar listings, and each of them by day. */
export function StatisticsView({ statistics }: { statistics: ListingStatistics }) {
  const { listing, days, counts, comparison, usualDays, firstInquiryDays } = statistics;
  const usual = typeof comparison === 'string' ? null : comparison;
  const similar = (value: number | null) =>
    usual
      ? { note: value === null ? 'Similar listings: none yet' : `Similar listings: ${figure(value)}` }
      : {};
  return (
    <>
      <div className="statistics-head">
        <Link className="cell" to={sellerPaths.editProperty(listing.id)}>
          <ListingPictureView
            listingId={listing.id}
            type={listing.type}
            picture={listing.picture && { ...listing.picture, alt: '' }}
            sizes="54px"
          />
          <span>
            <b>{listing.address}</b>
            <small>{listing.town}</small>
          </span>
        </Link>
        <Badge tone={statusTone(listing.status)}>{statusLabel[listing.status]}</Badge>
      </div>
      <StatStrip
        stats={[
          ...metrics.map((metric) => ({
            label: metricLabel[metric],
            value: figure(counts[metric]),
            icon: icons[metric],
            ...similar(usual?.counts[metric] ?? null),
          })),
          {
            label: 'Days to First Inquiry',
            value: firstInquiryDays.own === null ? 'None yet' : figure(firstInquiryDays.own),
            icon: CalendarClock,
            ...similar(firstInquiryDays.usual),
          },
        ]}
      />
      <p className="statistics-note">
        The last {STATISTICS_DAYS} days. {comparisonText(comparison)}
      </p>
      <div className="statistics-panels">
        {metrics.map((metric) => (
          <Panel key={metric} title={metricLabel[metric]} inset>
            <p className="vh">
              {countText(metric, counts[metric])} in the last {STATISTICS_DAYS} days.
            </p>
            <DayChart
              metric={metric}
              days={days}
              usual={usualDays?.map((day) => day?.[metric] ?? null) ?? null}
            />
          </Panel>
        ))}
      </div>
      <p className="statistics-note">
        Days are in UTC. Every visit of the page is a view here. My Properties counts a visitor once a day,
        which makes {formatCount(listing.views)} since the property was listed.
      </p>
    </>
  );
}
