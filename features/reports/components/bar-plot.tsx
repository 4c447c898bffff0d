import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { ANIMATION_MS, axis, grid, type PlotPoint, PlotTooltip, TICK_GAP } from './plot-parts.tsx';
import { units } from './plot-units.ts';

interface BarPlotProps {
  /** the accessible name */
  label: string;
  points: readonly PlotPoint[];
  /** what the values are counts of */
  series: string;
}

/** A bar for each point. */
export function BarPlot({ label, points, series }: BarPlotProps) {
  const { short, exact } = units.count;
  return (
    <div className="chart-box">
      <ResponsiveContainer>
        <BarChart
          data={[...points]}
          className="chart"
          aria-label={label}
          barCategoryGap="20%"
          margin={{ top: 12, right: 12, bottom: 0, left: 0 }}
        >
          <CartesianGrid {...grid} />
          <XAxis {...axis} dataKey="label" interval="equidistantPreserveStart" minTickGap={TICK_GAP / 2} />
          <YAxis {...axis} width={64} tickFormatter={short} allowDecimals={false} />
          <Tooltip
            cursor={{ fill: 'var(--surface-hover)' }}
            content={(props) => (
              <PlotTooltip {...props} rows={([value = 0]) => [{ name: series, text: exact(value) }]} />
            )}
          />
          <Bar
            animationDuration={ANIMATION_MS}
            dataKey="values[0]"
            name={series}
            fill="var(--chart-2)"
            radius={[4, 4, 0, 0]}
          />
        </BarChart>
      </ResponsiveContainer>
    </div>
  );
}
