import { Notice } from '#ui/notice.tsx';
import { SUSPENDED } from '../rules.ts';

/** Over every page of a suspended seller: everything can be seen, nothing changed (B-098). */
export function Suspended() {
  return (
    <div className="area-notice">
      <Notice tone="warn" title={SUSPENDED.title}>
        <p>{SUSPENDED.text}</p>
      </Notice>
    </div>
  );
}
