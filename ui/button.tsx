import type { ComponentProps, ReactNode } from 'react';
import { Link, type LinkProps } from 'react-router';
import { classNames } from './class-names.ts';
import { Icon, type IconDrawing } from './icon.tsx';
import { Spinner } from './spinner.tsx';

export type ButtonVariant = 'primary' | 'outline' | 'soft' | 'ghost' | 'danger' | 'link';
export type ButtonSize = 'sm' | 'md' | 'lg';

interface Look {
  variant?: ButtonVariant;
  /** 32, 40 or 48 px high: tables, pages, forms and purchase (look §5). */
  size?: ButtonSize;
  /** Takes the whole width. */
  wide?: boolean;
  icon?: IconDrawing;
  iconEnd?: IconDrawing;
}

const buttonClass = (
  { variant = 'primary', size = 'md', wide }: Look,
  ...more: (string | false | undefined)[]
) =>
  classNames(
    'btn',
    variant !== 'primary' && `btn-${variant}`,
    size !== 'md' && `btn-${size}`,
    wide && 'btn-wide',
    ...more,
  );

export interface ButtonProps extends Look, ComponentProps<'button'> {
  /** Working: a spinner before the unchanged label, `aria-busy`, the same width, and presses are ignored. */
  busy?: boolean;
}

/** The button of the house. `type` is `button` unless told; a busy button keeps focus and its name. */
export function Button({
  variant,
  size,
  wide,
  icon,
  iconEnd,
  busy,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={buttonClass({ variant, size, wide }, busy && !icon && 'btn-spun', className)}
      aria-busy={busy || undefined}
      aria-disabled={busy || rest['aria-disabled'] || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    >
      {busy ? <Spinner /> : icon && <Icon of={icon} />}
      {children}
      {iconEnd && <Icon of={iconEnd} size={16} />}
    </button>
  );
}

/** A link that looks like a button: client navigation, a real `href` before the scripts. */
export function ButtonLink({
  variant,
  size,
  wide,
  icon,
  iconEnd,
  className,
  children,
  ...rest
}: Look & LinkProps & { children: ReactNode }) {
  return (
    <Link {...rest} className={buttonClass({ variant, size, wide }, className)}>
      {icon && <Icon of={icon} />}
      {children}
      {iconEnd && <Icon of={iconEnd} size={16} />}
    </Link>
  );
}
