import { Notice } from '#ui/notice.tsx';
import { suspendedMessage } from '../rules.ts';

/** Shown on every page of a suspended seller, who has read-only access. */
export function SuspendedNotice() {
  return (
    <div className="area-notice">
      <Notice tone="warn" title={suspendedMessage.title}>
        <p>{suspendedMessage.text}</p>
      </Notice>
    </div>
  );
}
