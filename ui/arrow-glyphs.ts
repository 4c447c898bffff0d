import type { Glyph } from './glyphs.ts';

// What the home page shows, apart from the icons of the property page.

export const ArrowDown: Glyph = 'M12 5v14M0 0m19 12-7 7-7-7';
export const ArrowRight: Glyph = 'M5 12h14M0 0m12 5 7 7-7 7';
