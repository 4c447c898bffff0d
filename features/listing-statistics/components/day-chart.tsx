import './statistics.css';
import { useId } from 'react';
import { countText, dayLabel, figure, metricLabel } from '../display.ts';
import { type DayCounts, type Metric, STATISTICS_DAYS } from '../model.ts';

/** The drawing's units: a day is ten wide, the highest value nearly a hundred high; it is stretched to the panel. */
const BAND = 10;
const HEIGHT = 100;
const TOP = 4;

interface Props {
  metric: Metric;
  /** oldest first */
  days: readonly DayCounts[];
  /** medians of similar listings by day; null where there is nothing to compare with */
  usual: readonly (number | null)[] | null;
}

/** What happened by day as bars, beside the median of similar listings as a line, and both as a table for assistive technology. */
export function DayChart({ metric, days, usual }: Props) {
  const id = useId();
  const values = days.map((day) => day[metric]);
  const known = usual?.filter((value) => value !== null) ?? [];
  const top = Math.max(...values, ...known);
  if (top === 0)
    return (
      <p className="day-chart-none">
        No {metric} in the last {STATISTICS_DAYS} days.
      </p>
    );
  const yOf = (value: number) => HEIGHT - (value / top) * (HEIGHT - TOP);
  const points = usual?.flatMap((value, at) =>
    value === null ? [] : [at, at + 1].map((edge) => `${edge * BAND},${yOf(value).toFixed(1)}`),
  );
  return (
    <figure className="day-chart">
      <div className="day-chart-plot" aria-hidden="true">
        <p className="day-chart-scale">
          <span>{figure(top)}</span>
          <span>0</span>
        </p>
        {/* biome-ignore lint/a11y/noSvgWithoutTitle: hidden from assistive technology, which has the table */}
        <svg viewBox={`0 0 ${days.length * BAND} ${HEIGHT}`} preserveAspectRatio="none" focusable="false">
          {[TOP, (HEIGHT + TOP) / 2, HEIGHT].map((y) => (
            <line key={y} className="grid" x1={0} x2={days.length * BAND} y1={y} y2={y} />
          ))}
          {days.map(({ day, [metric]: value }, at) => (
            <g key={day}>
              <title>{`${dayLabel(day)}: ${countText(metric, value)}`}</title>
              <rect className="day" x={at * BAND} y={0} width={BAND} height={HEIGHT} />
              <rect
                className="bar"
                x={at * BAND + BAND * 0.2}
                y={yOf(value)}
                width={BAND * 0.6}
                height={HEIGHT - yOf(value)}
              />
            </g>
          ))}
          {points && <polyline points={points.join(' ')} />}
        </svg>
        <p className="day-chart-axis">
          {[0, Math.floor(days.length / 2), days.length - 1].map((at) => {
            const day = days[at]?.day;
            return day && <span key={day}>{dayLabel(day)}</span>;
          })}
        </p>
      </div>
      {usual && (
        <p className="day-chart-legend" aria-hidden="true">
          <span className="bar-key">This property</span>
          <span className="line-key">Median of similar listings</span>
        </p>
      )}
      <div className="vh">
        <table aria-labelledby={id}>
          <caption id={id}>{metricLabel[metric]} by day</caption>
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col">{metricLabel[metric]}</th>
              {usual && <th scope="col">Median of Similar Listings</th>}
            </tr>
          </thead>
          <tbody>
            {days.map(({ day, [metric]: value }, at) => (
              <tr key={day}>
                <th scope="row">{dayLabel(day)}</th>
                <td>{figure(value)}</td>
                {usual && <td>{usual[at] == null ? '–' : figure(usual[at])}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}
