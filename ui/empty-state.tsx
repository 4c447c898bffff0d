import type { ReactNode } from 'react';
import { Scene } from './scene.tsx';

interface EmptyStateProps {
  /** The product's sentence, word for word. */
  title: string;
  text?: ReactNode;
  /** One outline action, if one exists. */
  action?: ReactNode;
  /** Without the frame, inside something that has one. */
  bare?: boolean;
}

/** Nothing to show: the staked lot, the sentence, one way on (look §11). */
export function EmptyState({ title, text, action, bare }: EmptyStateProps) {
  return (
    <div className={bare ? 'empty empty-bare' : 'empty'}>
      <Scene sign="board" />
      <p className="empty-title">{title}</p>
      {text && <p>{text}</p>}
      {action}
    </div>
  );
}
