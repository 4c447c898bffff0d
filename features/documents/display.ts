import type { SaleDocument } from './model.ts';

const KB = 1024;
const MB = 1024 * KB;

/** '340 kB', '1.2 MB'. */
export const fileSize = (bytes: number): string =>
  bytes < MB ? `${Math.max(1, Math.round(bytes / KB))} kB` : `${(bytes / MB).toFixed(1)} MB`;

/** Who added a document, after its type: 'Deed from the seller'. */
export const addedBy: Record<SaleDocument['by'], string> = {
  buyer: 'from the buyer',
  seller: 'from the seller',
  admin: 'from the office',
  system: 'made at the closing',
};
