import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import { CircleAlert } from './glyphs.ts';
import { Icon } from './icon.tsx';
import { tableRoles } from './table-roles.ts';

export interface TableErrorProps {
  /** The error message. */
  title: string;
  detail?: string;
  onRetry?: () => void;
}

/** A single full-width row with a message, for a table without rows. */
export function TableMessage({
  span,
  tall,
  children,
}: {
  span: number;
  tall?: boolean;
  children: ReactNode;
}) {
  return (
    <tr {...tableRoles.row} className={classNames('tbl-note', tall && 'tbl-empty')}>
      <td {...tableRoles.cell} colSpan={span}>
        {children}
      </td>
    </tr>
  );
}

/** The message row of a table that could not be loaded. */
export function TableError({ span, title, detail, onRetry }: TableErrorProps & { span: number }) {
  return (
    <TableMessage span={span} tall>
      <span className="tbl-error" role="alert">
        <Icon of={CircleAlert} size={20} />
        <span>
          <b>{title}</b>
          {detail && <span className="hint"> {detail}</span>}
        </span>
        {onRetry && (
          <Button variant="outline" size="sm" onClick={onRetry}>
            Try again
          </Button>
        )}
      </span>
    </TableMessage>
  );
}
