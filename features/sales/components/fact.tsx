import type { ReactNode } from 'react';

/** A term and its value in a list of facts about a sale. */
export function Fact({ of, children }: { of: string; children: ReactNode }) {
  return (
    <div>
      <dt>{of}</dt>
      <dd>{children}</dd>
    </div>
  );
}
