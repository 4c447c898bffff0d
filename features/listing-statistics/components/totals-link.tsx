import './statistics.css';
import { Bookmark, Eye, MessagesSquare } from 'lucide-react';
import { Link } from 'react-router';
import { sellerPaths } from '#routing/seller-paths.ts';
import { Icon } from '#ui/icon.tsx';
import { countsText, figure } from '../display.ts';
import { type ListingTotals, type Metric, metrics } from '../model.ts';

const icons = { views: Eye, watches: Bookmark, inquiries: MessagesSquare } satisfies Record<Metric, unknown>;

interface Props {
  listing: { id: string; address: string };
  /** undefined when they could not be loaded */
  totals: ListingTotals | undefined;
}

/** A listing's last days in a line, with the medians of similar listings below it; leads to the listing's statistics. */
export function TotalsLink({ listing: { id, address }, totals }: Props) {
  const to = sellerPaths.listingStatistics(id);
  if (!totals)
    return (
      <Link className="link" to={to}>
        Statistics<span className="vh"> of {address}</span>
      </Link>
    );
  const { counts, comparison } = totals;
  const usual = typeof comparison === 'string' ? null : comparison;
  return (
    <Link className="listing-line" to={to}>
      <span aria-hidden="true">
        {metrics.map((metric) => (
          <span key={metric}>
            <Icon of={icons[metric]} size={14} />
            {figure(counts[metric])}
          </span>
        ))}
      </span>
      <b className="vh">
        Statistics of {address}: {countsText(counts)}.
      </b>
      {usual ? (
        <small>
          <span aria-hidden="true">
            Similar: {metrics.map((metric) => figure(usual.counts[metric])).join(' · ')}
          </span>
          <b className="vh">Median of similar listings: {countsText(usual.counts)}.</b>
        </small>
      ) : (
        comparison === 'too_few' && <small className="wraps">Not enough similar listings</small>
      )}
    </Link>
  );
}
