import { Notice } from '#ui/notice.tsx';
import { suspendedBuyerMessage } from '../rules.ts';

/** On every page of a suspended buyer. */
export function SuspendedBuyerNotice() {
  return (
    <div className="area-notice">
      <Notice tone="warn" title={suspendedBuyerMessage.title}>
        <p>{suspendedBuyerMessage.text}</p>
      </Notice>
    </div>
  );
}
