import type { AuditCheck, AuditFinding } from './model.ts';

const MAX_FINDINGS_PER_CHECK = 100;

/** Counts findings and keeps the first 100 of each check, so that memory stays flat. */
export interface FindingList {
  add(check: AuditCheck, subject: string, detail: string): void;
  readonly listed: AuditFinding[];
  total(): number;
}

export function findingList(): FindingList {
  const listed: AuditFinding[] = [];
  const counts = new Map<AuditCheck, number>();
  return {
    listed,
    add(check, subject, detail) {
      const count = (counts.get(check) ?? 0) + 1;
      counts.set(check, count);
      if (count <= MAX_FINDINGS_PER_CHECK) listed.push({ check, subject, detail });
    },
    total: () => [...counts.values()].reduce((sum, count) => sum + count, 0),
  };
}
