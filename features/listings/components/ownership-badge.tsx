import { Badge, type Tone } from '#ui/badge.tsx';
import type { OwnershipStatus } from '../ownership.ts';

const looks: Record<OwnershipStatus | 'none', { tone: Tone; label: string }> = {
  none: { tone: 'mute', label: 'Not verified' },
  waiting: { tone: 'info', label: 'Waiting' },
  verified: { tone: 'ok', label: 'Verified' },
  refused: { tone: 'bad', label: 'Refused' },
  withdrawn: { tone: 'warn', label: 'Withdrawn' },
};

/** What became of the latest proof of ownership; null: there is none. */
export function OwnershipBadge({ of }: { of: OwnershipStatus | null }) {
  const { tone, label } = looks[of ?? 'none'];
  return <Badge tone={tone}>{label}</Badge>;
}

/** The same after the word 'Ownership', in lower case: 'Ownership not verified'. */
export const ownershipText = (of: OwnershipStatus | null): string =>
  `Ownership ${looks[of ?? 'none'].label.toLowerCase()}`;
