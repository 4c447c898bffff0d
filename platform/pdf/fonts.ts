import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { create, type Font } from 'fontkit';

// Inter, the typeface of the pages, under the SIL Open Font License: it may be embedded in documents.
const files = {
  regular: '@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf',
  strong: '@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf',
} as const;

export type FontName = keyof typeof files;
export const fontNames: readonly FontName[] = ['regular', 'strong'];

const loaded = new Map<FontName, Buffer>();

/**
 * The file of a typeface, read once. Each document parses it anew: a parsed one remembers what was read of it, and the next
 * document would differ.
 */
export function fontFile(name: FontName): Buffer {
  const known = loaded.get(name);
  if (known) return known;
  const bytes = readFileSync(createRequire(import.meta.url).resolve(files[name]));
  loaded.set(name, bytes);
  return bytes;
}

let characters: Font | undefined;

/** What can be printed; both typefaces have the same characters. */
function known(): Font {
  if (characters) return characters;
  const font = create(fontFile('regular'));
  if (!('hasGlyphForCodePoint' in font)) throw new Error(`${files.regular} is a collection of typefaces`);
  characters = font;
  return font;
}

/** The text as it can be printed: one line, and a question mark for each character that the typeface lacks. */
export const printable = (text: string): string =>
  Array.from(text.normalize('NFC').replace(/[\s\p{C}]+/gu, ' '), (character) =>
    known().hasGlyphForCodePoint(character.codePointAt(0) ?? 0) ? character : '?',
  ).join('');
