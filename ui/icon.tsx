import type { LucideIcon } from 'lucide-react';
import type { Glyph } from './glyphs.ts';

/** Bare path data on public pages, an icon of the library in the signed-in areas. */
export type IconDrawing = Glyph | LucideIcon;

/** A decorative icon; the text beside it or the name of its button carries the meaning. */
export function Icon({ of: Drawing, size = 18 }: { of: IconDrawing; size?: 14 | 16 | 18 | 20 }) {
  if (typeof Drawing !== 'string') {
    return <Drawing className="ic" size={size} strokeWidth={1.75} aria-hidden="true" />;
  }
  return (
    <svg className="ic" viewBox="0 0 24 24" width={size} height={size} aria-hidden="true">
      <path d={Drawing} />
    </svg>
  );
}
