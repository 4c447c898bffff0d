import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';
import { Icon, type IconDrawing } from './icon.tsx';

interface IconButtonProps extends ComponentProps<'button'> {
  /** The accessible name, including the count where there is one ('3 unread messages'). */
  label: string;
  icon: IconDrawing;
  small?: boolean;
}

/** An icon-only button of 40 × 40 px, or 32 × 32 px when `small`. */
export function IconButton({ label, icon, small, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={classNames('iconbtn', small && 'iconbtn-sm', className)}
      aria-label={label}
    >
      <Icon of={icon} />
    </button>
  );
}
