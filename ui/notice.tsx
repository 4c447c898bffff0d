import type { ReactNode } from 'react';
import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from './glyphs.ts';
import { Icon } from './icon.tsx';
import { IconButton } from './icon-button.tsx';

const icons = { ok: CircleCheck, warn: TriangleAlert, info: Info, bad: CircleAlert };

interface NoticeProps {
  tone?: keyof typeof icons;
  title?: string;
  children?: ReactNode;
  /** Given, a cross takes it away. */
  onDismiss?: () => void;
}

/** A word that stays in the page, where a toast would pass too soon (B-023). Bad news is announced at once. */
export function Notice({ tone = 'info', title, children, onDismiss }: NoticeProps) {
  return (
    <div className={`notice notice-${tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
      <Icon of={icons[tone]} size={20} />
      <div>
        {title && <b>{title}</b>}
        {children}
      </div>
      {onDismiss && <IconButton small icon={X} label="Dismiss" onClick={onDismiss} />}
    </div>
  );
}
