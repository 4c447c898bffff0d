import type { TaskSeverity } from '#features/tasks/model.ts';

export const severityLabels: Record<TaskSeverity, string> = {
  critical: 'Critical',
  high: 'High',
  low: 'Low',
};

/** Three bars, of which as many are filled as it is severe, and the word. */
export function Severity({ of }: { of: TaskSeverity }) {
  return (
    <span className="whitespace-nowrap">
      <span className={`sev sev-${of}`} aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      {severityLabels[of]}
    </span>
  );
}
