import type { ReactNode } from 'react';

export type Tone = 'ok' | 'warn' | 'info' | 'bad' | 'mute';

/** A dot and a label. Each feature decides which tone a status has. */
export function Badge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return <span className={`badge badge-${tone}`}>{children}</span>;
}
