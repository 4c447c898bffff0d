import type { Ctx } from '#platform/context.ts';
import type { PdfBlock } from '#platform/pdf/content.ts';
import { verifyPaths } from '#routing/verify-paths.ts';

/** The page on which anyone can check a document by the number that is printed on it. */
export const checkUrlOf = ({ config }: Pick<Ctx, 'config'>, number: string): string =>
  config.publicUrl + verifyPaths.verify({ q: number });

/** What a document that has a number ends with: the QR code of the page that checks it, and its address. */
export const checkBlock = (words: { title: string; text: string }, url: string): PdfBlock => ({
  kind: 'code',
  description: 'QR code of the address at its right',
  title: words.title,
  text: words.text,
  url,
});

/** What statements say beside their QR code. */
export const checkStatement = {
  title: 'Check this statement',
  text: 'A statement is registered shortly after it is made. Scan the code or open this address to see when, and by which transaction.',
} as const;
