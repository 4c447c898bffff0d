import type { Tone } from '#ui/badge.tsx';
import type { RegistryStatus } from './registry-model.ts';

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

/** '1.2 MB', '340 kB'. */
export function fileSize(bytes: number): string {
  const [amount, unit] = bytes < 1e6 ? [bytes / 1e3, 'kB'] : [bytes / 1e6, 'MB'];
  return `${amount.toLocaleString('en-US', { maximumFractionDigits: 1 })} ${unit}`;
}
