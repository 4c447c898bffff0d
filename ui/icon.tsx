import type { LucideIcon } from 'lucide-react';

/** Icons come in one weight (1.75) and three sizes; the words beside them or their button's name carry the meaning. */
export function Icon({ of: Glyph, size = 18 }: { of: LucideIcon; size?: 14 | 16 | 18 | 20 }) {
  return <Glyph className="ic" size={size} strokeWidth={1.75} aria-hidden="true" />;
}
