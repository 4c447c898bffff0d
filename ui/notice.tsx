import type { ReactNode } from 'react';
import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from './glyphs.ts';
import { Icon } from './icon.tsx';
import { IconButton } from './icon-button.tsx';

const icons = { ok: CircleCheck, warn: TriangleAlert, info: Info, bad: CircleAlert };

interface NoticeProps {
  tone?: keyof typeof icons;
  title?: string;
  children?: ReactNode;
  /** When given, a close button is shown. */
  onDismiss?: () => void;
}

/** A message that stays in the page, where a toast would disappear too soon. Errors are announced assertively. */
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
