import * as library from 'lucide-react';
import { createElement, type FunctionComponent } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import * as arrowGlyphs from './arrow-glyphs.ts';
import * as detailGlyphs from './detail-glyphs.ts';
import * as eyeGlyphs from './eye-glyphs.ts';
import * as glyphs from './glyphs.ts';
import * as propertyGlyphs from './property-glyphs.ts';

type Shape = { tag: string; attributes: Record<string, string> };

/** The SVG shapes of one icon of the library. */
function shapesOf(name: string): Shape[] {
  const icon = (library as unknown as Record<string, FunctionComponent>)[name];
  if (!icon) throw new Error(`The library has no ${name}`);
  return [...renderToStaticMarkup(createElement(icon)).matchAll(/<(\w+) ([^>]*)>/g)]
    .map(([, tag = '', text = '']) => ({
      tag,
      attributes: Object.fromEntries(
        [...text.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value]),
      ),
    }))
    .filter((shape) => shape.tag !== 'svg');
}

/** One shape as path data. A path with a relative start is anchored at the origin when other shapes precede it. */
function pathOf({ tag, attributes }: Shape, index: number): string {
  const n = (key: string) => Number(attributes[key]);
  if (tag === 'line') return `M${n('x1')} ${n('y1')}L${n('x2')} ${n('y2')}`;
  if (tag === 'circle') {
    const r = n('r');
    return `M${n('cx') - r} ${n('cy')}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0-${2 * r} 0`;
  }
  if (tag === 'rect') {
    const [x, y, width, height, r] = [n('x'), n('y'), n('width'), n('height'), n('rx')];
    const [across, down] = [width - 2 * r, height - 2 * r];
    const corner = (dx: number, dy: number) => `a${r} ${r} 0 0 1 ${dx} ${dy}`;
    return `M${x + r} ${y}h${across}${corner(r, r)}v${down}${corner(-r, r)}h-${across}${corner(-r, -r)}v-${down}${corner(r, -r)}z`;
  }
  if (tag !== 'path') throw new Error(`<${tag}> has no path yet`);
  const d = attributes.d ?? '';
  return index > 0 && d.startsWith('m') ? `M0 0${d}` : d;
}

test.each(Object.entries({ ...glyphs, ...arrowGlyphs, ...detailGlyphs, ...eyeGlyphs, ...propertyGlyphs }))(
  '%s matches the icon library',
  (name, d) => {
    expect(d).toBe(shapesOf(name).map(pathOf).join(''));
  },
);
