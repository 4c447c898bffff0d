import { Clock, Tag, TrendingDown, TrendingUp } from '#ui/detail-glyphs.ts';
import type { Glyph } from '#ui/glyphs.ts';
import type { PropertyNotification } from '../model.ts';

/** The icon of a change, which every machine can draw, unlike the emoji beside it. */
export function changeDrawing({ type, direction }: Pick<PropertyNotification, 'type' | 'direction'>): Glyph {
  if (type === 'status_change') return Tag;
  if (type === 'tour') return Clock;
  return direction === 'up' ? TrendingUp : TrendingDown;
}
