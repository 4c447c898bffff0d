import type { ReactNode } from 'react';

export type Tone = 'ok' | 'warn' | 'info' | 'bad' | 'mute';

/** A dot and a word; which status takes which tone is told in look §5 and decided by the feature. */
export function Badge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return <span className={`badge badge-${tone}`}>{children}</span>;
}
