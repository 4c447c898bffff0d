import type { Tone } from '#ui/badge.tsx';
import type { SaleDocument } from './model.ts';
import type { RegistryStatus } from './registry-model.ts';

/** Who added a document, after its type: 'Deed from the seller'. */
export const addedBy: Record<SaleDocument['by'], string> = {
  buyer: 'from the buyer',
  seller: 'from the seller',
  admin: 'from the office',
  system: 'made at the closing',
};

/** How the status of a document or token is shown. */
export const registryStatuses: Record<RegistryStatus, { label: string; tone: Tone }> = {
  confirmed: { label: 'Confirmed', tone: 'ok' },
  pending: { label: 'Pending', tone: 'mute' },
  failed: { label: 'Failed', tone: 'bad' },
  revoked: { label: 'Revoked', tone: 'bad' },
};

/** A wallet address, a transaction or a hash by its ends: '0x71C4…9aF3'. */
export const shortHash = (text: string): string =>
  text.length > 14 ? `${text.slice(0, 6)}…${text.slice(-4)}` : text;
