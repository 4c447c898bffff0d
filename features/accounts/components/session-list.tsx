import { Form } from 'react-router';
import { Button } from '#ui/button.tsx';
import { IntentField } from '#ui/intent-field.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { usePendingForm } from '#ui/use-pending.ts';

export interface SessionRow {
  id: string;
  device: string;
  ip: string | null;
  startedAt: Date;
  lastUsedAt: Date;
  current: boolean;
}

/** The user's open sessions, each with a sign-out button. */
export function SessionList({ sessions }: { sessions: readonly SessionRow[] }) {
  const revoking = usePendingForm('revoke')?.get('session');
  return (
    <ul aria-label="Sessions">
      {sessions.map((session) => (
        <li
          key={session.id}
          className="flex items-center justify-between gap-4 border-line border-t py-4 first:border-t-0 first:pt-0 last:pb-0"
        >
          <div>
            <b>{session.device}</b>
            <p className="hint">
              {session.current ? 'This browser · ' : ''}
              {session.ip ? `${session.ip} · ` : ''}
              Signed in <LocalTime of={session.startedAt.toISOString()} /> · last used{' '}
              <LocalTime of={session.lastUsedAt.toISOString()} />
            </p>
          </div>
          <Form method="post">
            <IntentField is="revoke" />
            <input type="hidden" name="session" value={session.id} />
            <Button
              type="submit"
              variant="outline"
              size="sm"
              busy={revoking === session.id}
              aria-label={`Sign out ${session.device}${session.current ? ' (this browser)' : ''}`}
            >
              Sign out
            </Button>
          </Form>
        </li>
      ))}
    </ul>
  );
}
