import { ListChecks } from 'lucide-react';
import { Link } from 'react-router';
import { adminPaths } from '#routing/admin-paths.ts';
import { Icon } from '#ui/icon.tsx';
import { cappedCount } from '#ui/pill.tsx';
import { Tooltip } from '#ui/tooltip.tsx';

/** Leads to the tasks and shows how many are open. */
export function TaskBell({ open }: { open: number }) {
  const words = open === 1 ? '1 open task' : `${cappedCount(open)} open tasks`;
  return (
    <Tooltip text={words}>
      <Link className="iconbtn" to={adminPaths.tasks()} aria-label={words}>
        <Icon of={ListChecks} />
        {open > 0 && (
          <b className="count" aria-hidden="true">
            {cappedCount(open)}
          </b>
        )}
      </Link>
    </Tooltip>
  );
}
