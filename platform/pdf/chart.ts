import type { PdfChart } from './content.ts';
import { axisValues, shownLabels } from './scale.ts';
import { colors, makeRoom, type Sheet, type TextStyle, widthOf, write } from './sheet.ts';

const PLOT_HEIGHT = 150;
const AXIS_WIDTH = 58;
const LABEL_SPACE = 18;
const LEGEND_SPACE = 18;
const TEXT: TextStyle = { size: 8, color: colors.muted };
const TEXT_HEIGHT = 11;
/** Between two labels under the axis. */
const LABEL_GUTTER = 10;
/** More points than this are a line without dots. */
const MOST_DOTS = 40;

/** Where the numbers of a chart lie on the page. */
interface Plot {
  left: number;
  top: number;
  width: number;
  /** the middle of the place of a point */
  x: (at: number) => number;
  y: (value: number) => number;
}

/** A chart as one figure with a description. */
export function drawChart(sheet: Sheet, chart: PdfChart): void {
  const { doc, root, left, width } = sheet;
  const legend = chart.series.length > 1 ? LEGEND_SPACE : 0;
  const height = legend + PLOT_HEIGHT + LABEL_SPACE;
  makeRoom(sheet, height + 8);
  const top = doc.y;
  const ticks = axisValues(chart.series.flatMap(({ values }) => values));
  const plot = plotOf(
    { left: left + AXIS_WIDTH, top: top + legend, width: width - AXIS_WIDTH },
    chart,
    ticks,
  );
  root.add(
    doc.struct('Figure', { alt: chart.description, bbox: [left, top, left + width, top + height] }, () => {
      doc.save();
      if (legend > 0) drawLegend(sheet, chart, top);
      drawGrid(sheet, chart, plot, ticks);
      drawLabels(sheet, chart, plot);
      for (const [at, { values }] of chart.series.entries()) {
        if (chart.form === 'bars') drawBars(sheet, plot, values);
        else drawLine(sheet, plot, values, at);
      }
      doc.restore();
    }),
  );
  doc.y = top + height + 12;
}

function plotOf(
  { left, top, width }: Pick<Plot, 'left' | 'top' | 'width'>,
  { labels }: PdfChart,
  ticks: readonly number[],
): Plot {
  const [low, high] = [ticks[0] ?? 0, ticks.at(-1) ?? 1];
  const band = width / Math.max(1, labels.length);
  return {
    left,
    top,
    width,
    x: (at) => left + (at + 0.5) * band,
    y: (value) => top + PLOT_HEIGHT * (1 - (value - low) / (high - low)),
  };
}

function drawGrid(
  sheet: Sheet,
  { tick }: PdfChart,
  { left, width, y }: Plot,
  ticks: readonly number[],
): void {
  const { doc } = sheet;
  for (const value of ticks) {
    doc.lineWidth(value === 0 ? 1 : 0.5).strokeColor(colors.rule);
    doc
      .moveTo(left, y(value))
      .lineTo(left + width, y(value))
      .stroke();
    const at = { x: sheet.left, y: y(value) - TEXT_HEIGHT / 2, width: AXIS_WIDTH - 8 };
    write(sheet, tick(value), at, { ...TEXT, align: 'right', tabular: true });
  }
}

/** Those that fit beside each other, each under its point and within the page. */
function drawLabels(sheet: Sheet, { labels }: PdfChart, { left, top, width, x }: Plot): void {
  const widest = Math.max(...labels.map((label) => widthOf(sheet, label, TEXT))) + LABEL_GUTTER;
  for (const at of shownLabels(labels.length, Math.floor(width / widest))) {
    const start = Math.min(Math.max(left - LABEL_GUTTER, x(at) - widest / 2), left + width - widest);
    const place = { x: start, y: top + PLOT_HEIGHT + 5, width: widest };
    write(sheet, labels[at] ?? '', place, { ...TEXT, align: 'center' });
  }
}

function drawLegend(sheet: Sheet, { series }: PdfChart, top: number): void {
  let x = sheet.left + AXIS_WIDTH;
  for (const [at, { name }] of series.entries()) {
    const middle = top + TEXT_HEIGHT / 2;
    strokeOf(sheet, at)
      .moveTo(x, middle)
      .lineTo(x + 20, middle)
      .stroke();
    const width = widthOf(sheet, name, TEXT) + 4;
    write(sheet, name, { x: x + 26, y: top, width }, TEXT);
    x += 26 + width + 20;
  }
  sheet.doc.undash();
}

/** The pen of a series; every one but the first is dashed. */
function strokeOf({ doc }: Sheet, series: number): Sheet['doc'] {
  doc.lineWidth(1.75).lineJoin('round').strokeColor(colorOf(series));
  return series === 0 ? doc.undash() : doc.dash(4, { space: 3 });
}
const colorOf = (series: number): string => colors.series[series % colors.series.length] ?? colors.text;

function drawLine(sheet: Sheet, { x, y }: Plot, values: readonly number[], series: number): void {
  const { doc } = sheet;
  strokeOf(sheet, series).moveTo(x(0), y(values[0] ?? 0));
  for (const [at, value] of values.entries()) if (at > 0) doc.lineTo(x(at), y(value));
  doc.stroke().undash();
  if (values.length > MOST_DOTS) return;
  for (const [at, value] of values.entries()) doc.circle(x(at), y(value), 1.8).fill(colorOf(series));
}

function drawBars({ doc }: Sheet, { x, y, width }: Plot, values: readonly number[]): void {
  const bar = (width / values.length) * 0.6;
  for (const [at, value] of values.entries()) {
    if (value === 0) continue;
    const [upper, lower] = [y(Math.max(0, value)), y(Math.min(0, value))];
    doc.rect(x(at) - bar / 2, upper, bar, lower - upper).fill(colorOf(0));
  }
}
