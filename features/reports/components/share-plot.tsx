import { useId } from 'react';
import { useNavigate } from 'react-router';
import { Pie, PieChart, type PieLabelRenderProps, ResponsiveContainer } from 'recharts';
import { ANIMATION_MS } from './plot-parts.tsx';

interface SharePlotProps {
  /** at most three */
  slices: readonly { name: string; value: number; percent: number; href: string }[];
}

const RADIUS = 78;
const LABEL_GAP = 16;
const RADIANS = Math.PI / 180;

/** A pie from twelve o'clock with whole percents around it; the legend below says the same, so that this is a picture only. */
export function SharePlot({ slices }: SharePlotProps) {
  const id = useId();
  const navigate = useNavigate();
  const percentAt = ({ cx, cy, midAngle = 0, index = 0 }: PieLabelRenderProps) => {
    const distance = RADIUS + LABEL_GAP;
    return (
      <text
        className="v"
        x={Number(cx) + distance * Math.cos(-midAngle * RADIANS)}
        y={Number(cy) + distance * Math.sin(-midAngle * RADIANS)}
        textAnchor="middle"
        dominantBaseline="central"
      >
        {slices[index]?.percent ? `${slices[index].percent}%` : ''}
      </text>
    );
  };
  return (
    <div className="chart-box" aria-hidden="true" data-leads="true">
      <ResponsiveContainer>
        <PieChart className="chart" accessibilityLayer={false}>
          <defs>
            <pattern
              id={`${id}-1`}
              width="6"
              height="6"
              patternUnits="userSpaceOnUse"
              patternTransform="rotate(45)"
            >
              <rect width="6" height="6" fill="var(--chart-2)" />
              <rect width="1.5" height="6" fill="var(--surface)" opacity="0.45" />
            </pattern>
            <pattern id={`${id}-2`} width="6" height="6" patternUnits="userSpaceOnUse">
              <rect width="6" height="6" fill="var(--chart-3)" />
              <circle cx="3" cy="3" r="1.2" fill="var(--chart-1)" />
            </pattern>
          </defs>
          <Pie
            animationDuration={ANIMATION_MS}
            data={slices.map(({ name, value }, at) => ({
              name,
              value: Math.max(0, value),
              fill: at === 0 ? 'var(--chart-1)' : `url(#${id}-${at})`,
            }))}
            dataKey="value"
            nameKey="name"
            startAngle={90}
            endAngle={-270}
            outerRadius={RADIUS}
            stroke="var(--surface)"
            strokeWidth={2.5}
            label={percentAt}
            labelLine={false}
            rootTabIndex={-1}
            onClick={(_, at) => {
              const href = slices[at]?.href;
              if (href) void navigate(href);
            }}
          />
        </PieChart>
      </ResponsiveContainer>
    </div>
  );
}
