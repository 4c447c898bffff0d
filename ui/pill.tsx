/** A small count, capped at '99+'. `label` names what is counted ('4 unread'). Renders nothing for zero. */
export function Pill({ count, label }: { count: number; label: string }) {
  if (count <= 0) return null;
  return (
    <span className="pill">
      <span aria-hidden="true">{cappedCount(count)}</span>
      <span className="vh">{label}</span>
    </span>
  );
}

/** Counts above 99 become '99+'. */
export const cappedCount = (count: number): string => (count > 99 ? '99+' : String(count));
