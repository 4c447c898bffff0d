import { Notice } from '#ui/notice.tsx';

/** On every page of a purchase in test mode on a production server. */
export function TestModeNotice() {
  return (
    <Notice tone="warn" title="Test mode">
      <p>No real money moves in this purchase.</p>
    </Notice>
  );
}
