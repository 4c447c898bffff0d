import { useFetcher } from 'react-router';
import { adminPaths } from '#routing/admin-paths.ts';
import type { ActionData } from '#ui/action-data.ts';
import { Button } from '#ui/button.tsx';
import { FlashToast } from '#ui/flash-toast.tsx';
import { IntentField } from '#ui/intent-field.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { Notice } from '#ui/notice.tsx';
import type { UserNotice } from '../model.ts';

/** What administrators have told the user, above every page of the user's own area until it is confirmed. */
export function NoticeList({ notices }: { notices: readonly UserNotice[] }) {
  return notices.map((notice) => <OneNotice key={notice.id} notice={notice} />);
}

function OneNotice({ notice: { id, message, at } }: { notice: UserNotice }) {
  const fetcher = useFetcher<ActionData>();
  return (
    <div className="area-notice">
      <Notice tone="warn" title="A message from the administrators">
        <p className="whitespace-pre-line [overflow-wrap:anywhere]">{message}</p>
        <p className="hint">
          <LocalTime of={at} />
        </p>
        <fetcher.Form method="post" action={adminPaths.notices()} className="mt-3">
          <IntentField is="confirm" />
          <input type="hidden" name="id" value={id} />
          <Button type="submit" variant="outline" size="sm" busy={fetcher.state !== 'idle'}>
            I have read this
          </Button>
        </fetcher.Form>
        <FlashToast toast={fetcher.data?.toast} />
      </Notice>
    </div>
  );
}
