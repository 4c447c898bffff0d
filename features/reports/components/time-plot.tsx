import {
  Area,
  CartesianGrid,
  ComposedChart,
  Line,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import type { PlotPoint } from './plot-parts.tsx';
import { ActivePoint, ANIMATION_MS, axis, grid, PlotTooltip, TICK_GAP, useDrillDown } from './plot-parts.tsx';
import { type PlotUnit, units } from './plot-units.ts';

interface TimePlotProps {
  /** the accessible name */
  label: string;
  points: readonly PlotPoint[];
  /** what the values of a point are, one or two */
  series: readonly string[];
  unit: PlotUnit;
}

/** Letters of a label that fits beside the end of the axis, such as 'Dec 16'. */
const SHORT_LABEL = 8;

/** One or two lines over time; the second is dashed. */
export function TimePlot({ label, points, series, unit }: TimePlotProps) {
  const { active, handlers } = useDrillDown();
  const { short, exact } = units[unit];
  const labels = new Map(points.map((point) => [point.key, point.label]));
  const hasLongLabels = points.some((point) => point.label.length > SHORT_LABEL);
  const dots = points.length === 1 ? { r: 4, fill: 'var(--chart-1)' } : false;
  const activeDot = { r: 5, stroke: 'var(--surface)', strokeWidth: 2 };
  return (
    <div className="chart-box" data-leads={points.some(({ href }) => href)} {...handlers}>
      <ResponsiveContainer>
        <ComposedChart
          data={[...points]}
          className="chart"
          aria-label={label}
          margin={{ top: 12, right: hasLongLabels ? 44 : 28, bottom: 0, left: 0 }}
        >
          <CartesianGrid {...grid} />
          <XAxis
            {...axis}
            dataKey="key"
            tickFormatter={(key: string) => labels.get(key) ?? ''}
            interval="preserveStartEnd"
            minTickGap={TICK_GAP}
          />
          <YAxis {...axis} width={64} tickFormatter={short} allowDecimals={false} />
          <Tooltip
            cursor={{ stroke: 'var(--border-control)', strokeDasharray: '3 3' }}
            content={(props) => (
              <PlotTooltip
                {...props}
                rows={(values) => series.map((name, at) => ({ name, text: exact(values[at] ?? 0) }))}
              />
            )}
          />
          <Area
            animationDuration={ANIMATION_MS}
            type="monotone"
            dataKey="values[0]"
            name={series[0]}
            stroke="var(--chart-1)"
            strokeWidth={2.25}
            fill="var(--chart-area)"
            fillOpacity={1}
            dot={dots}
            activeDot={{ ...activeDot, fill: 'var(--chart-1)' }}
          />
          {series.length > 1 && (
            <Line
              animationDuration={ANIMATION_MS}
              type="monotone"
              dataKey="values[1]"
              name={series[1]}
              stroke="var(--chart-2)"
              strokeWidth={2.25}
              strokeDasharray="6 4"
              dot={dots}
              activeDot={{ ...activeDot, fill: 'var(--chart-2)' }}
            />
          )}
          <ActivePoint into={active} />
        </ComposedChart>
      </ResponsiveContainer>
    </div>
  );
}
