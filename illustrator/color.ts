const colorChannel = (color: string, index: number) =>
  parseInt(color.slice(1 + index * 2, 3 + index * 2), 16);

/** Blends two colors written `#rrggbb`; share 0 gives the first, 1 the second. */
export function mix(first: string, second: string, share: number): string {
  const blended = [0, 1, 2].map((index) => {
    const from = colorChannel(first, index);
    return Math.round(from + (colorChannel(second, index) - from) * share)
      .toString(16)
      .padStart(2, '0');
  });
  return `#${blended.join('')}`;
}

/** Shadows, cut lines and gaps. */
export const DARK = '#0a1b13';
export const WHITE = '#ffffff';
export const WOOD = '#b07f4e';
/** Snow on a ledge. */
export const SNOW = '#f3f7f8';
/** Shadows and joints indoors. */
export const SHADE = '#1a120a';
