import { useId } from 'react';
import { Form, Link, useLocation } from 'react-router';
import { formatCount } from '#platform/format-count.ts';
import { Button } from '#ui/button.tsx';
import { IntentField } from '#ui/intent-field.tsx';
import { Panel } from '#ui/panel.tsx';
import { usePendingForm } from '#ui/use-pending.ts';
import { rowsText } from '../display.ts';
import type { ImportDetails } from '../model.ts';

const titles = {
  checking: 'Checking the file',
  running: 'Importing',
  undoing: 'Undoing the import',
} as const;

/** How far a check, an import or its undoing is. */
export function ImportProgress({ details, mayAct }: { details: ImportDetails; mayAct: boolean }) {
  const { status, rowsDone, rowsTotal, counts, waits } = details;
  const id = useId();
  const { pathname } = useLocation();
  const stopping = usePendingForm('stop') !== null;
  if (status !== 'checking' && status !== 'running' && status !== 'undoing') return null;
  const undone = details.removed + details.restored + details.spared;
  const [done, total] =
    status === 'undoing' ? [undone, counts.added + counts.changed + details.pictured] : [rowsDone, rowsTotal];
  const words = `${formatCount(done)} of ${status === 'undoing' ? `${formatCount(total)} listings` : rowsText(total)}`;
  return (
    <Panel title={titles[status]} inset>
      <p id={id} className="tabular-nums">
        {waits ? 'Another import of this seller is running. This one starts when it has ended.' : words}
        {'. '}
        You can close this page.
      </p>
      <progress className="import-progress" value={done} max={Math.max(1, total)} aria-labelledby={id}>
        {words}
      </progress>
      <div className="import-acts">
        {mayAct && status !== 'undoing' && (
          <Form method="post" preventScrollReset onSubmit={(event) => stopping && event.preventDefault()}>
            <IntentField is="stop" />
            <Button type="submit" variant="outline" busy={stopping}>
              {status === 'checking' ? 'Stop check' : 'Stop import'}
            </Button>
          </Form>
        )}
        <Link className="btn btn-outline no-js" to={pathname} reloadDocument>
          Refresh
        </Link>
      </div>
    </Panel>
  );
}
