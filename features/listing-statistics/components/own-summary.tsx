import './statistics.css';
import { Panel } from '#ui/panel.tsx';
import { figure, metricLabel } from '../display.ts';
import { MOST_SUMMED, metrics, type OwnStatistics, STATISTICS_DAYS } from '../model.ts';
import { DayChart } from './day-chart.tsx';

/** All of a seller's listings together, and how many of those on the market do better than similar ones. */
export function OwnSummary({
  statistics: { days, counts, isPart, compared },
}: {
  statistics: OwnStatistics;
}) {
  return (
    <Panel title={`Your listings in the last ${STATISTICS_DAYS} days`} inset>
      <dl className="own-figures">
        {metrics.map((metric) => (
          <div key={metric}>
            <dt>{metricLabel[metric]}</dt>
            <dd>{figure(counts[metric])}</dd>
            {compared.listings > 0 && (
              <dd>
                {compared.above[metric]} of {compared.listings} above the median
              </dd>
            )}
          </div>
        ))}
      </dl>
      <DayChart metric="views" days={days} usual={null} />
      <p className="statistics-note">
        {isPart && `These are your ${figure(MOST_SUMMED)} newest listings. `}
        {compared.listings > 0
          ? `The median is that of similar listings. ${compared.listings === 1 ? '1 of your newest active listings is' : `${compared.listings} of your newest active listings are`} compared.`
          : 'There are not enough similar listings to compare yours with.'}
      </p>
    </Panel>
  );
}
