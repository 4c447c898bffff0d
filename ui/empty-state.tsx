import type { ReactNode } from 'react';
import { EmptyLotDrawing } from './empty-lot-drawing.tsx';

interface EmptyStateProps {
  /** The message, e.g. 'No properties found'. */
  title: string;
  text?: ReactNode;
  /** A single outline button, if any. */
  action?: ReactNode;
  /** Without the frame, for use inside a framed container. */
  bare?: boolean;
}

/** Placeholder for an empty list: an illustration, a message and at most one action. */
export function EmptyState({ title, text, action, bare }: EmptyStateProps) {
  return (
    <div className={bare ? 'empty empty-bare' : 'empty'}>
      <EmptyLotDrawing sign="board" />
      <p className="empty-title">{title}</p>
      {text && <p>{text}</p>}
      {action}
    </div>
  );
}
