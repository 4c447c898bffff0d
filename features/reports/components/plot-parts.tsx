import { type KeyboardEvent, type MouseEvent, type RefObject, useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { type TooltipContentProps, useActiveTooltipDataPoints } from 'recharts';

/** A point of an axis, with where it leads. */
export interface PlotPoint {
  key: string;
  /** on the axis */
  label: string;
  /** above the values */
  title: string;
  values: readonly number[];
  href?: string | undefined;
}

/** Text of the axes; the look is that of `.chart text`. */
export const axis = { axisLine: false, tickLine: false, tickMargin: 10 } as const;
export const grid = { vertical: false, stroke: 'var(--chart-grid)' } as const;

/** Milliseconds; without motion where people asked for less. */
export const ANIMATION_MS = 320;

/** Pixels that a label of the axis has for itself. */
export const TICK_GAP = 28;

/** The panel beside the point under the pointer or reached by key; screen readers hear it. */
export function PlotTooltip({
  active,
  payload,
  rows,
}: TooltipContentProps & { rows: (values: readonly number[]) => readonly { name: string; text: string }[] }) {
  const point = active ? (payload[0]?.payload as PlotPoint | undefined) : undefined;
  return (
    <div role="status" className={point ? 'plot-tip' : undefined}>
      {point && (
        <>
          <p>{point.title}</p>
          {rows(point.values).map(({ name, text }) => (
            <p key={name}>
              {name} <b>{text}</b>
            </p>
          ))}
        </>
      )}
    </div>
  );
}

/** Follows the point that the tooltip is about; a child of the chart. */
export function ActivePoint({ into }: { into: RefObject<PlotPoint | null> }) {
  const points = useActiveTooltipDataPoints<PlotPoint>();
  useEffect(() => {
    into.current = points?.[0] ?? null;
  }, [points, into]);
  return null;
}

/** Opens what the active point stands for: by a click of a mouse, or by Enter after the arrow keys. A tap only shows it. */
export function useDrillDown() {
  const active = useRef<PlotPoint | null>(null);
  const navigate = useNavigate();
  const open = () => {
    if (active.current?.href) void navigate(active.current.href);
  };
  return {
    active,
    handlers: {
      onClick: ({ nativeEvent }: MouseEvent) => {
        if (nativeEvent instanceof PointerEvent && nativeEvent.pointerType === 'mouse') open();
      },
      onKeyDown: ({ key }: KeyboardEvent) => {
        if (key === 'Enter') open();
      },
    },
  };
}
